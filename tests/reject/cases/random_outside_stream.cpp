// Hidden random state.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset() + torch::randn({4});  // expected-warning {{this draws from hidden state}}
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
  std::mt19937 engine(3);  // expected-warning {{this draws from hidden state}}
}
FDG_PROGRAM(train)
