// A macro as the bound of a loop.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define FIRST 0
#define LAST 3
#define STEP 1

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  for (int64_t i = FIRST; i < LAST; i += STEP) {
    run.log("x", envs.finishedReturns());
  }
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
