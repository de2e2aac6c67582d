// Macros inside expressions.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define TWICE(x) ((x) + (x))
#define IS_LATE(n) ((n) > 2)
#define NAME "x"

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  double x = TWICE(envs.finishedReturns());
  if (IS_LATE(cfg.limit)) {
    run.log(NAME, x);
  }
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
