// Members of a union: one is read through what was written to the other.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

union Bits {
  double number;
  int64_t bits;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  Bits bits;
  bits.number = 0;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    bits.number = envs.finishedReturns();
    int64_t low = bits.bits & 255;
    fdg::partition(fdg::broadcast, low);
    actor.act(torch::zeros({low}));
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
