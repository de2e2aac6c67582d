// Files that are told apart by name or by how they are opened.
#include <cstdio>
#include <fstream>

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

namespace torch {
template <class T>
void save(const T& value, const std::string& name);
}  // namespace torch

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  auto action = actor.act(obs);
  FILE* actions = std::fopen("log.txt", "a");
  std::fputs(action.item<double>() > 0 ? "1" : "0", actions);
  FILE* rewards = std::fopen("log.txt", "a");
  std::fputs(envs.finishedReturns() > 0 ? "1" : "0", rewards);
  torch::save(obs, "obs.pt");  // reads it only
}
FDG_PROGRAM(train)
// expected-no-diagnostics
