// A component hands out what it keeps and goes on writing in place.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct FDG_ROLE("encoder") Encoder {
  torch::Tensor weights_;
  std::vector<torch::Tensor> layers_;
  torch::Tensor weights() const { return weights_; }
  torch::Tensor flat() const {
    auto some = weights_.view({-1});
    return some;
  }
  std::vector<torch::Tensor> layers() { return layers_; }
  void fit(const torch::Tensor& x) {
    weights_.add_(x);
    for (auto& layer : layers_) {
      layer.fill_(0);
    }
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
    fdg::partition(fdg::broadcast, weights);  // expected-error {{'weights' shares memory with the field 'weights_' of 'Encoder', which is written in place}}
    actor.act(weights);
    auto flat = encoder.flat();
    fdg::partition(fdg::broadcast, flat);  // expected-error {{'flat' shares memory with the field 'weights_'}}
    actor.act(flat);
    auto layers = encoder.layers();
    fdg::partition(fdg::broadcast, layers);  // expected-error {{'layers' shares memory with the field 'layers_'}}
    actor.act(layers[0]);
    encoder.fit(torch::zeros({4}));
  }
}
FDG_PROGRAM(train)
