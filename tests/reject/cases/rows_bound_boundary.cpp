// A loop over this replica's rows that holds a boundary.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  for (int64_t row = 0; row < run.rows(cfg.envs).size(); ++row) {  // expected-error {{this loop depends on run.rows}}
    torch::Tensor obs = envs.reset();
    fdg::partition(fdg::gather, obs);
    actor.act(obs);
  }
}
FDG_PROGRAM(train)
