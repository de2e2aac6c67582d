// Constants that outlive the function.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

constexpr double kThree = 3;
const std::vector<double> kTable = {1, 2};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  static const int64_t kTwo = 2;
  fdg::partition(fdg::gather, obs);
  actor.act(obs * kTwo * kThree);
  run.log("x", envs.finishedReturns() * kTwo * kThree);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
