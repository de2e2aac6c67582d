// C arrays cannot be assigned.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  int x[3] = {1, 2, 3};
  envs.reset();
  fdg::partition(fdg::gather, x);  // expected-error {{a C array cannot be assigned; use std::array}}
  actor.act({}, x[0]);
}
FDG_PROGRAM(train)
