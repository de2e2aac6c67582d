// What an optimiser writes: the networks of its class and the tensors that it was made with, nothing else.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

namespace torch::nn {
struct Module {
  std::vector<Tensor> parameters() const;
  Tensor forward(const Tensor& x);
};
}  // namespace torch::nn
namespace torch::optim {
struct SGD {
  SGD(std::vector<Tensor> parameters, double rate);
  void step();
};
}  // namespace torch::optim

struct Network : torch::nn::Module {
  int64_t calls = 0;
  void count() { ++calls; }
};

class FDG_ROLE("learner") Learner {
 public:
  std::vector<torch::Tensor> parameters() const { return network_.parameters(); }
  torch::Tensor scale() const { return scale_; }
  torch::Tensor lossValue() const { return loss_; }
  torch::Tensor mean() const { return mean_; }
  void learn(const torch::Tensor& x) {
    last_ = x;
    loss_ = network_.forward(x);
    optimizer_->step();
  }

 private:
  Network network_;
  torch::Tensor scale_, loss_, last_, mean_;
  std::unique_ptr<torch::optim::SGD> optimizer_ =
      std::make_unique<torch::optim::SGD>(std::vector<torch::Tensor>{scale_}, 0.1);
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  Learner learner;
  fdg::partition(fdg::gather, obs);
  for (int64_t i = 0; i < cfg.steps; ++i) {
    learner.learn(obs);
    auto loss = learner.lossValue();
    auto mean = learner.mean();
    auto scale = learner.scale();
    auto parameters = learner.parameters();
    fdg::partition(fdg::broadcast, loss, mean);
    fdg::partition(fdg::broadcast, scale);       // expected-error {{'scale' shares memory with the field 'scale_' of 'Learner'}}
    fdg::partition(fdg::broadcast, parameters);  // expected-error {{'parameters' shares memory with the field 'network_'}}
    actor.act(loss + mean + scale + parameters[0]);
  }
}
FDG_PROGRAM(train)
