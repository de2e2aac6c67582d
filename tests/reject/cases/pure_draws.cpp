// A pure function that draws.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

FDG_PURE double noise(double x) { return x + std::rand(); }  // expected-error {{'noise' is marked FDG_PURE, so fragments may call it any number of times, but it draws from hidden random state}}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  run.log("x", noise(1) + envs.finishedReturns());
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
