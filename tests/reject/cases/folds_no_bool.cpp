// reduce_any of a number.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

template <class T>
FDG_PURE torch::Tensor pick(const T& x);

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  double x = envs.finishedReturns();
  fdg::partition(fdg::reduce_any, x);  // expected-error {{is no bool; compare it first}}
  envs.step(pick(x));
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
