// A field that has no mean.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

struct Both {
  double mean = 0;
  int64_t count = 0;
};
template <class T>
FDG_PURE torch::Tensor pick(const T& x);

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  Both x = {envs.finishedReturns(), 1};
  fdg::partition(fdg::reduce_mean, x);  // expected-error {{its field `count`: `int64_t}}
  envs.step(pick(x));
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
