// A pure function that prints.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#include <iostream>
FDG_PURE double shown(double x) {  // expected-error {{it has the side effect `cout`}}
  std::cout << x;
  return x;
}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  run.log("x", shown(1) + envs.finishedReturns());
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
