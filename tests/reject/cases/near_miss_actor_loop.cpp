// The loop that the other programs of this folder get wrong.

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
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);
    obs = envs.step(action).observation;
    fdg::partition(fdg::gather, obs);
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
