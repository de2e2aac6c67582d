// The mean of integers.

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
  int64_t x = static_cast<int64_t>(envs.finishedReturns());
  fdg::partition(fdg::reduce_mean, x);  // expected-error {{'x' cannot be reduced by reduce_mean: `int64_t` is an integer}}
  envs.step(pick(x));
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
