// A macro that leaves the loop.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define STOP_AT(i, n) if ((i) == (n)) break

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  for (int64_t i = 0; i < cfg.steps; ++i) {
    STOP_AT(i, 3);  // expected-error {{but a break inside leaves it}}
    run.log("i", envs.finishedReturns());
  }
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
