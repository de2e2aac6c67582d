// Globals of two fragments that nothing changes.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

int64_t g_width = 3;
double g_scale[2] = {1, 2};
std::vector<double> g_table = {1, 2, 3};

struct FDG_ROLE("left") Left {
  double count = 0;
  void see() { count += static_cast<double>(g_width) * g_scale[0] * g_table[1]; }
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs * (static_cast<double>(g_width) + g_scale[1]));
  envs.step(torch::zeros({g_width}));
  Left left;
  left.see();
}
FDG_PROGRAM(train)
// expected-no-diagnostics
