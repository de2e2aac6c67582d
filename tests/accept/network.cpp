// A network and an optimiser of the program itself: modules are components. A guard over boundaries holds for
// what stands behind it and for nobody else, although fragments take turns on one thread.
#include "parts.h"

struct Config {
  int64_t iterations = 5;
  int64_t length = 4;
  double lr = 0.1;
};

struct NetImpl : torch::nn::Module {
  NetImpl(int64_t in, int64_t out) : first(in, 8), second(8, out) {
    register_module("first", first);
    register_module("second", second);
    torch::NoGradGuard guard;
    double value = 0;
    for (auto& p : parameters()) {
      p.fill_(value += 0.125);
    }
  }
  torch::Tensor forward(const torch::Tensor& x) { return second(torch::tanh(first(x))); }
  torch::nn::Linear first, second;
};

class FDG_ROLE("learner") Trainer {
 public:
  explicit Trainer(double lr) : net_(3, 1), optimizer_(net_.parameters(), lr) {}
  double fit(const torch::Tensor& inputs) {
    optimizer_.zero_grad();
    auto loss = (net_.forward(inputs) - inputs.sum(1, true)).square().mean();
    loss.backward();
    optimizer_.step();
    return loss.item<double>();
  }
  std::vector<torch::Tensor> weights() const {
    std::vector<torch::Tensor> copies;
    for (const auto& p : net_.parameters()) {
      copies.push_back(p.detach().clone());
    }
    return copies;
  }

 private:
  NetImpl net_;
  torch::optim::SGD optimizer_;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(3));
  NetImpl actor(3, 1);
  Trainer trainer(cfg.lr);
  for (int64_t i = 0; i < cfg.iterations; ++i) {
    auto weights = trainer.weights();
    fdg::partition(fdg::broadcast, weights);
    std::vector<torch::Tensor> seen;
    {
      torch::NoGradGuard guard;
      auto own = actor.parameters();
      for (size_t p = 0; p < own.size(); ++p) {
        own[p].copy_(weights[p]);
      }
      auto obs = env.reset();
      for (int64_t t = 0; t < cfg.length; ++t) {
        fdg::partition(fdg::gather, obs);
        auto input = obs.to(torch::kFloat).unsqueeze(0) / 11;
        auto value = actor.forward(input);
        run.log("needs_grad", value.requires_grad() ? 1 : 0);
        seen.push_back(input);
        auto action = (value * 100).to(torch::kInt64).flatten() + obs;
        fdg::partition(fdg::scatter, action);
        obs = env.step(action).observation;
      }
    }
    auto rollout = torch::cat(seen);
    fdg::partition(fdg::broadcast, rollout);
    run.log("loss", trainer.fit(rollout));
  }
  run.log("norm", trainer.weights()[0].norm().item<double>());
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment environment: components env;
// CHECK-DAG: fragment actor: components actor;
// CHECK-DAG: fragment learner: components trainer;
// CHECK-DAG: copied by environment, actor, learner: torch::NoGradGuard guard;
