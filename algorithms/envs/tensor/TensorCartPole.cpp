// tensor:CartPole-v1, by the motion of CartPole-v1 on tensors.
#include "algorithms/envs/CartPole.h"
#include "algorithms/envs/CartPoleMotion.h"
#include "algorithms/envs/tensor/TensorKind.h"

namespace fdg::rl {
namespace {

using Motion = CartPoleMotion<torch::Tensor>;

class CartPoleRules final : public TensorRules {
 public:
  explicit CartPoleRules(torch::Device /*device*/) {}

  TensorStep step(const torch::Tensor& state, const torch::Tensor& action) const override {
    const torch::Tensor force = (action * 2 - 1).to(torch::kDouble) * Motion::kForce;
    const Motion m = Motion{state[0], state[1], state[2], state[3]}.pushed(force);
    return {torch::stack({m.position, m.velocity, m.angle, m.angular_velocity}),
            torch::ones_like(m.position),
            (m.position.abs() > Motion::kMostPosition) | (m.angle.abs() > Motion::kMostAngle)};
  }

  torch::Tensor observe(const torch::Tensor& state) const override {
    return state.t().to(torch::kFloat).contiguous();
  }
};

}  // namespace

EnvKind tensorCartPole() { return tensorKind<CartPole, CartPoleRules>(4); }

}  // namespace fdg::rl
