// Set in front of everything, as the configuration says.
// expected-no-diagnostics

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

namespace torch {
void set_num_threads(int threads);
}  // namespace torch

void train(fdg::Run& run, const Config& cfg) {
  if (cfg.limit > 1) {
    torch::set_num_threads(static_cast<int>(cfg.limit));
  }
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
