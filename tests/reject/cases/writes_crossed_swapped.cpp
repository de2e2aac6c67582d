// std::swap hands the storage of what crossed to another variable.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  torch::Tensor kept;
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
  std::swap(kept, obs);
  kept.add_(kept);  // expected-error {{this writes into the storage of 'obs' through 'kept' after 'obs' crossed}}
}
FDG_PROGRAM(train)
