// A reference cannot cross.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  auto& x = obs;
  fdg::partition(fdg::gather, x);  // expected-error {{it is a reference}}
  actor.act(x);
}
FDG_PROGRAM(train)
