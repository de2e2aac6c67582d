// FDG_LATEST on a component's method.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

class FDG_ROLE("shower") Shower {
 public:
  void show(FDG_LATEST double x);
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  Shower shower;
  double x = envs.finishedReturns();
  fdg::partition(fdg::broadcast.loose(), x);
  shower.show(x);
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
