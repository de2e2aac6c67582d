// A name for each iteration.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  for (int64_t i = 0; i < cfg.steps; ++i) {
    fdg::Stream noise = run.stream("noise" + std::to_string(i));
    run.log("x", noise.uniform() + envs.finishedReturns());
  }
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
