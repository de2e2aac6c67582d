// A hook that counts in a variable of the function.

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
  int64_t calls = 0;
  w.register_hook([&calls](const torch::Tensor&) { ++calls; });  // expected-error {{this hook runs inside backward()}}
  fdg::partition(fdg::gather, obs);
  actor.act(obs, calls);
}
FDG_PROGRAM(train)
