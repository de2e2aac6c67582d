// tensor:Pendulum-v1, by the motion of Pendulum-v1 on tensors.
#include "algorithms/envs/Pendulum.h"
#include "algorithms/envs/PendulumMotion.h"
#include "algorithms/envs/tensor/TensorKind.h"

namespace fdg::rl {
namespace {

using Motion = PendulumMotion<torch::Tensor, torch::Tensor>;

class PendulumRules final : public TensorRules {
 public:
  explicit PendulumRules(torch::Device /*device*/) {}

  TensorStep step(const torch::Tensor& state, const torch::Tensor& action) const override {
    const auto widen = [](const torch::Tensor& x) { return x.to(torch::kDouble); };
    const Motion m = Motion{state[0], state[1], {}}.turned(action.select(1, 0), widen);
    return {torch::stack({m.angle, m.velocity}), -m.cost, torch::zeros_like(m.angle, torch::kBool)};
  }

  torch::Tensor observe(const torch::Tensor& state) const override {
    return torch::stack({state[0].cos(), state[0].sin(), state[1]}, 1).to(torch::kFloat);
  }
};

}  // namespace

EnvKind tensorPendulum() { return tensorKind<Pendulum, PendulumRules>(2); }

}  // namespace fdg::rl
