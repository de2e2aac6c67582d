// Pure functions that return nothing: defined here, and only declared.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#include <stdexcept>
FDG_PURE void check(const Config& cfg) {  // expected-error {{'check' is marked FDG_PURE and returns nothing}}
  if (cfg.steps < 1) {
    throw std::invalid_argument("steps");
  }
}
FDG_PURE void checkElsewhere(const Config& cfg);  // expected-error {{'checkElsewhere' is marked FDG_PURE and returns nothing}}

void train(fdg::Run& run, const Config& cfg) {
  check(cfg);
  checkElsewhere(cfg);
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
