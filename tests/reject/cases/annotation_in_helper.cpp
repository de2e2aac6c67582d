// No boundary in a helper function.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void cross(torch::Tensor& obs) {
  fdg::partition(fdg::gather, obs);  // expected-error {{stands in another function than the training function}}
}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  cross(obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
