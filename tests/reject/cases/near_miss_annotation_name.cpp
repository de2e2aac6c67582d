// Another function named partition.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#include <algorithm>
namespace mine {
inline void partition(int64_t) {}
}  // namespace mine

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  std::vector<int64_t> order = {3, 1, 2};
  std::partition(order.begin(), order.end(), [](int64_t i) { return i > 1; });
  mine::partition(3);
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
