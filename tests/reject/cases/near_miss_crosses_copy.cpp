// Components that hand out copies, or what they never write in place.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct FDG_ROLE("encoder") Encoder {
  torch::Tensor weights_, mean_, other_;
  torch::Tensor weights() const { return weights_.clone(); }
  torch::Tensor mean() const { return mean_; }
  torch::Tensor sum() const { return weights_ + mean_; }
  void fit(const torch::Tensor& x) {
    weights_.add_(x);
    mean_ = mean_ + x;
    other_ = x;
  }
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  Encoder encoder;
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
  for (int64_t i = 0; i < cfg.steps; ++i) {
    auto weights = encoder.weights();
    auto mean = encoder.mean();
    auto sum = encoder.sum();
    fdg::partition(fdg::broadcast, weights, mean, sum);
    actor.act(weights + mean + sum);
    encoder.fit(torch::zeros({4}));
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
