// A model that predicts the dynamics beside the policy: it sees what the actor did and what came of it, and
// its prediction error goes back to the actor.
#include "parts.h"

class FDG_ROLE("model") Model {
 public:
  torch::Tensor predict(const torch::Tensor& observation, const torch::Tensor& action) const {
    return (observation * factor_ + action) % 101;
  }
  void fit(const torch::Tensor& predicted, const torch::Tensor& seen) {
    factor_ = (factor_ + (seen - predicted).abs().sum().item<int64_t>()) % 13 + 1;
  }

 private:
  int64_t factor_ = 1;
};

class FDG_ROLE("actor") CuriousActor {
 public:
  torch::Tensor act(const torch::Tensor& observation) const { return (observation + curiosity_) % 9; }
  void surprise(const torch::Tensor& error) { curiosity_ = (curiosity_ + error.sum().item<int64_t>()) % 50; }

 private:
  int64_t curiosity_ = 0;
};

struct Config {
  int64_t envs = 4;
  int64_t steps = 30;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(cfg.envs));
  CuriousActor actor;
  Model model;
  auto obs = env.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    fdg::partition(fdg::gather, obs);
    auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);
    auto predicted = model.predict(obs, action);
    auto outcome = env.step(action);
    fdg::partition(fdg::gather, outcome);
    model.fit(predicted, outcome.observation);
    auto error = (outcome.observation - predicted).abs();
    fdg::partition(fdg::gather, error);
    actor.surprise(error);
    obs = outcome.observation;
    run.log("error", error.sum().item<int64_t>());
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment model: components model;
// CHECK-DAG: boundary action: scatter actor -> {{.*}}environment
