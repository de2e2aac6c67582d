// A method whose tensors have different lengths: rows, and something about all of them. Without annotations the two
// components stay together.
// POLICY: narrow.yaml
#include "parts.h"

struct Config {
  int64_t envs = 4;
  int64_t steps = 6;
};

struct Choice {
  torch::Tensor action, scale;
};

class FDG_ROLE("environment") Walk {
 public:
  explicit Walk(int64_t rows) : place_(torch::zeros({rows, 2}, torch::kInt64)) {}
  torch::Tensor step(const torch::Tensor& action) {
    place_ = place_ + action;
    return place_.clone();
  }

 private:
  torch::Tensor place_;
};

class FDG_ROLE("actor") Walker {
 public:
  Choice act(const torch::Tensor& place) {
    const auto scale = torch::full({1}, 1 + ++steps_ % 3, torch::kInt64);
    return {place % 5 + 1, scale};
  }

 private:
  int64_t steps_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  Walk walk(cfg.envs);
  Walker walker;
  torch::Tensor place = torch::zeros({cfg.envs, 2}, torch::kInt64);
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto choice = walker.act(place);
    auto action = choice.action;
    auto scale = choice.scale;
    fdg::partition(fdg::scatter, action);
    fdg::partition(fdg::broadcast, scale);
    place = walk.step(action * scale);
    fdg::partition(fdg::gather, place);
  }
  run.log("place", place.sum());
}
FDG_PROGRAM(train)

// CHECK: fragment environment:
// CHECK: fragment actor:
