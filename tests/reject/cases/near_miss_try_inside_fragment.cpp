// A try around a call that may throw, with a loop that breaks inside.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  double x = 0;
  try {
    for (int64_t i = 0; i < 3; ++i) {
      x = envs.finishedReturns();
      if (x > 1) {
        break;
      }
    }
  } catch (...) {
    x = 1;
  }
  run.log("x", x);
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
