// Other line numbers, which nothing asks for; line numbers, which nothing changed.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs, __LINE__ + static_cast<int64_t>(sizeof(__FILE__)));
#line 100 "template.in"
  actor.act(obs, 2);
}
// expected-no-diagnostics
FDG_PROGRAM(train)
