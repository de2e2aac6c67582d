// A pointer to a function, called for two fragments.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

double half(double x) { return x / 2; }

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  double (*by_pointer)(double) = half;
  const double scale = by_pointer(3);  // expected-error {{two fragments need what `by_pointer` returns, and it is not known whether it may be called twice; annotate the result where it crosses, or call a function by its name}}
  run.log("act", actor.act(obs).item<double>() * scale);
  run.log("return", envs.finishedReturns() * scale);
}
FDG_PROGRAM(train)
