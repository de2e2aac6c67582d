// A check that throws, without a mark.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#include <stdexcept>
void check(const Config& cfg) {
  if (cfg.steps < 1) {
    throw std::invalid_argument("steps");
  }
}

void train(fdg::Run& run, const Config& cfg) {
  check(cfg);
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
