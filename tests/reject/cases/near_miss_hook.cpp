// A hook that captures a number.
// expected-no-diagnostics

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

namespace at {
struct Parameter {
  template <class F>
  void register_hook(F hook) const { static_cast<void>(hook); }
};
}  // namespace at

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  const at::Parameter w;
  w.register_hook([limit = cfg.limit](const torch::Tensor& g) { return limit > 2 ? g : g + g; });
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
