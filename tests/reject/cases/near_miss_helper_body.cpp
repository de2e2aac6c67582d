// A helper of this file whose body shows that it is pure.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

double scaled(double x) {
  double y = x;
  for (int i = 0; i < 3; ++i) {
    y += std::sqrt(x);
  }
  return y;
}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  const double rate = scaled(0.5);
  torch::Tensor obs = envs.reset() * rate;
  fdg::partition(fdg::gather, obs);
  actor.act(obs * rate);
  actor.act({}, static_cast<int64_t>(rate));
}
FDG_PROGRAM(train)
// expected-no-diagnostics
