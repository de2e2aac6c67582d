// Structured bindings by reference.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  rl::Outcome outcome = envs.step(obs);
  auto& [observation, reward, done] = outcome;
  fdg::partition(fdg::gather, observation);  // expected-error {{it is bound by reference; write `auto [observation, …]` without &}}
  actor.act(observation);
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
