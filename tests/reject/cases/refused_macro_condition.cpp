// A macro that is an if without its body.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define WHEN_LATE if (cfg.limit > 2)

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  double x = 0;
  WHEN_LATE x = envs.finishedReturns();  // expected-error {{the macro `WHEN_LATE` makes a part of this loop or condition}}
  run.log("x", x);
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
