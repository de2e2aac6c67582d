// A function of which nothing is known.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void show(const torch::Tensor& t);

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  show(obs);  // expected-error {{`show` may write into 'obs', which has crossed}}
  actor.act(obs);
}
FDG_PROGRAM(train)
