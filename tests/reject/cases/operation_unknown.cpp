// Operations are named, not computed.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  const auto operation = cfg.steps > 3 ? fdg::gather : fdg::scatter;
  torch::Tensor obs = envs.reset();
  fdg::partition(operation, obs);  // expected-error {{`operation` is not an operation}}
  actor.act(obs);
}
FDG_PROGRAM(train)
