// tensor:simple_tag, by the rules of simple_tag on tensors of all worlds at once.
#include "algorithms/envs/SimpleTag.h"
#include "algorithms/envs/tensor/TensorKind.h"

namespace fdg::rl {
namespace {

constexpr int64_t kAgents = SimpleTag::kAgents, kPrey = SimpleTag::kPrey;
constexpr int64_t kDiscs = kAgents + SimpleTag::kObstacles;

/// By axes: discs, then x and y, then worlds.
torch::Tensor lengthOf(const torch::Tensor& v) {
  const torch::Tensor x = v.select(-2, 0), y = v.select(-2, 1);
  return (x * x + y * y).sqrt();
}

torch::Tensor column(const std::function<double(const DiscKind&)>& of, torch::Device device) {
  std::vector<double> values;
  for (const DiscKind& kind : SimpleTag::kKinds) {
    values.push_back(of(kind));
  }
  return torch::tensor(values, torch::kDouble).to(device).view({kDiscs, 1, 1});
}

class TagRules final : public TensorRules {
 public:
  explicit TagRules(torch::Device device)
      : push_(column([](const DiscKind& k) { return k.push; }, device).slice(0, 0, kAgents)),
        most_speed_(column([](const DiscKind& k) { return k.most_speed; }, device)),
        moves_(column([](const DiscKind& k) { return k.moves ? 1.0 : 0.0; }, device) > 0) {
    const torch::Tensor radius = column([](const DiscKind& k) { return k.radius; }, device);
    reach_ = radius + radius.view({1, kDiscs, 1});
    self_ = torch::eye(kDiscs, torch::TensorOptions().dtype(torch::kDouble).device(device))
                .unsqueeze(2);
    ways_ = torch::tensor({0., -1., 1., 0., 0., 0., 0., 0., -1., 1.}, torch::kDouble)
                .view({2, 5})
                .to(device);
    std::vector<int64_t> others;
    for (int64_t self = 0; self < kAgents; ++self) {
      for (int64_t other = 0; other < kAgents; ++other) {
        if (other != self) {
          others.push_back(self * kAgents + other);
        }
      }
    }
    others_ = torch::tensor(others, torch::kLong).to(device);
  }

  TensorStep step(const torch::Tensor& state, const torch::Tensor& action) const override {
    const torch::Tensor discs = state.view({kDiscs, 4, -1});
    const torch::Tensor place = discs.slice(1, 0, 2), velocity = discs.slice(1, 2, 4);
    const torch::Tensor force = forces(place, action);
    const torch::Tensor moved = torch::where(moves_, place + velocity * kParticleTimeStep, place);
    torch::Tensor faster = velocity * (1 - kParticleDamping) + force * kParticleTimeStep;
    const torch::Tensor speed = lengthOf(faster).unsqueeze(1);
    faster = torch::where(speed > most_speed_, faster / speed * most_speed_, faster);
    faster = torch::where(moves_, faster, velocity);
    const torch::Tensor reward = rewards(moved);
    return {torch::cat({moved, faster}, 1).view(state.sizes()), reward,
            torch::zeros_like(reward, torch::kBool)};
  }

  torch::Tensor observe(const torch::Tensor& state) const override {
    const torch::Tensor discs = state.view({kDiscs, 4, -1});
    const int64_t worlds = discs.size(2);
    const torch::Tensor place = discs.slice(1, 0, 2), velocity = discs.slice(1, 2, 4);
    const torch::Tensor own = place.slice(0, 0, kAgents);
    const torch::Tensor apart =
        place.unsqueeze(0) - own.unsqueeze(1);  // [agents, discs, 2, worlds]
    const torch::Tensor others = apart.slice(1, 0, kAgents)
                                     .reshape({kAgents * kAgents, 2, worlds})
                                     .index_select(0, others_)
                                     .view({kAgents, 2 * (kAgents - 1), worlds});
    const torch::Tensor obstacles = apart.slice(1, kAgents).reshape({kAgents, -1, worlds});
    torch::Tensor prey = velocity[kPrey].expand({kAgents, 2, worlds}).clone();
    prey[kPrey].zero_();
    return torch::cat({velocity.slice(0, 0, kAgents), own, obstacles, others, prey}, 1)
        .permute({2, 0, 1})
        .reshape({worlds * kAgents, -1})
        .to(torch::kFloat);
  }

 private:
  /// Of the agents themselves and of contacts, [discs, 2, worlds].
  torch::Tensor forces(const torch::Tensor& place, const torch::Tensor& action) const {
    const int64_t worlds = place.size(2);
    const torch::Tensor way = ways_.index_select(1, action).view({2, worlds, kAgents});
    const torch::Tensor pushes = way.permute({2, 0, 1}) * push_;
    const torch::Tensor apart = (place.unsqueeze(1) - place.unsqueeze(0)).contiguous();
    const torch::Tensor distance = lengthOf(apart) + self_;  // of itself 1, and not looked at
    const torch::Tensor over = (-(distance - reach_) / kParticleContactMargin).contiguous();
    const torch::Tensor depth =
        torch::logaddexp(torch::zeros_like(over), over) * kParticleContactMargin;
    const torch::Tensor contacts =
        kParticleContactForce * apart / distance.unsqueeze(2) * (depth * (1 - self_)).unsqueeze(2);
    torch::Tensor force = torch::cat({pushes, torch::zeros_like(place.slice(0, kAgents))}, 0);
    for (int64_t other = 0; other < kDiscs; ++other) {  // in this order, whatever the device
      force = contacts.select(1, other) + force;
    }
    return force;
  }

  torch::Tensor rewards(const torch::Tensor& place) const {
    const torch::Tensor prey = place[kPrey];
    const torch::Tensor distance = lengthOf(place.slice(0, 0, kPrey) - prey);
    const torch::Tensor touched = distance < reach_.select(1, kPrey).slice(0, 0, kPrey);
    const torch::Tensor caught = touched.to(torch::kDouble).sum(0) * SimpleTag::kCatch;
    const torch::Tensor out = prey.abs().contiguous();
    const torch::Tensor lost = torch::where(
        out < 0.9, torch::zeros_like(out),
        torch::where(out < 1.0, (out - 0.9) * 10, (2 * out - 2).exp().clamp_max(10.0)));
    return torch::stack({caught, caught, caught, -caught - lost[0] - lost[1]}, 1).view(-1);
  }

  torch::Tensor push_, most_speed_, moves_;  // [discs, 1, 1]
  torch::Tensor reach_, self_;               // [discs, discs, 1]
  torch::Tensor ways_;                       // [2, actions]
  torch::Tensor others_;                     // of the pairs of agents, those that are two
};

}  // namespace

EnvKind tensorTag() { return tensorKind<SimpleTag, TagRules>(kDiscs * 4); }

}  // namespace fdg::rl
