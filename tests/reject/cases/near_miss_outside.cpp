// A file of one fragment, files with different names, a file that nothing writes.
#include <fstream>

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

FDG_PURE double table(const std::string& name);

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  std::ofstream log("log.txt");
  log << actor.act(obs).item<double>();
  std::ifstream limits("limits.txt");
  int64_t limit = 0;
  limits >> limit;
  envs.step(torch::zeros({limit}) * table("table.txt"));
}
FDG_PROGRAM(train)
// expected-no-diagnostics
