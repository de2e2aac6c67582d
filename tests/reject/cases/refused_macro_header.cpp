// A macro that opens a loop.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define TIMES(i, n) for (int64_t i = 0; i < (n); ++i)

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  int64_t sum = 0;
  TIMES(i, 3) {  // expected-error {{the macro `TIMES` makes a part of this loop or condition}}
    sum += i;
  }
  run.log("sum", sum + envs.finishedReturns());
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
