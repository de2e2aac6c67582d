// One macro, several statements.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define SWAP(x, y) x += y; y = x - y

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  int64_t a = 1, b = 2;
  SWAP(a, b);  // expected-error {{the macro `SWAP` makes several statements here}}
  run.log("a", a + envs.finishedReturns());
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
