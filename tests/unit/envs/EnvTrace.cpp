// Steps one native environment and writes every step, for compare_with_gymnasium.py:
//   env_trace NAME STEPS POLICY
// A line holds the state before the step, the action, and what the step gave; numbers are separated
// by spaces, parts by semicolons: state ; action ; observation ; reward terminated truncated POLICY
// random, or hold: a simple controller that keeps CartPole and MountainCar going, so that time
// limits and goals are reached.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "algorithms/envs/Acrobot.h"
#include "algorithms/envs/CartPole.h"
#include "algorithms/envs/MountainCar.h"
#include "algorithms/envs/MountainCarContinuous.h"
#include "algorithms/envs/Pendulum.h"

namespace {

using fdg::rl::Outcome;

/// Receives the numbers of a saved environment.
struct Numbers {
  std::vector<double> values;
  template <class... T>
  void operator()(const T&... fields) {
    (values.push_back(static_cast<double>(fields)), ...);
  }
};

void write(const double* values, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    std::printf("%.17g ", values[i]);
  }
  std::printf("; ");
}

void write(const torch::Tensor& tensor) {
  const torch::Tensor wide = tensor.to(torch::kDouble).contiguous();
  write(wide.data_ptr<double>(), static_cast<size_t>(wide.numel()));
}

/// Forwards to the rows of E and keeps a hand on them, so that their state can be read.
template <class E>
class Watched final : public fdg::rl::EnvRows {
 public:
  Watched(const fdg::rl::EnvSpec& spec, E** seen) : rows_(spec, 1) { *seen = &rows_.at(0); }
  void reset(int64_t row, fdg::rl::Draw& draw, std::span<std::byte> observation) override {
    rows_.reset(row, draw, observation);
  }
  void step(const fdg::rl::Actions& actions, fdg::Stream& stream, int64_t first_row,
            std::span<fdg::rl::StepResult> results, std::span<std::byte> observations) override {
    rows_.step(actions, stream, first_row, results, observations);
  }
  void archive(fdg::Archive& a) override { rows_.archive(a); }

 private:
  fdg::rl::RowsOf<E> rows_;
};

/// What `hold` does, from the observation: balance (CartPole), pump with the velocity (the others).
int64_t hold(const std::string& name, const torch::Tensor& observation, int64_t actions) {
  const auto* o = observation.data_ptr<float>();
  if (name == "CartPole-v1") {
    return 0.05F * o[0] + 0.1F * o[1] + o[2] + 0.5F * o[3] > 0 ? 1 : 0;
  }
  const float velocity = name == "Acrobot-v1" ? o[5] : o[1];
  return velocity >= 0 ? actions - 1 : 0;
}

template <class E>
int trace(fdg::rl::EnvKind kind, int64_t steps, const std::string& policy) {
  E* environment = nullptr;
  const fdg::rl::EnvSpec spec = kind.spec;
  kind.make = [&](int64_t) { return std::make_unique<Watched<E>>(spec, &environment); };
  fdg::rl::VectorEnv envs(kind, {0, 1, 1}, fdg::Stream(11, "trace"));
  fdg::Stream draws(12, "actions");
  torch::Tensor observation = envs.reset();
  for (int64_t i = 0; i < steps; ++i) {
    Numbers state;
    environment->archive(state);
    torch::Tensor action;
    if (spec.discrete) {
      action = torch::full({1}, policy == "hold" ? hold(spec.name, observation, spec.actions)
                                                 : draws.below(0, spec.actions));
    } else {
      // A quarter beyond the bounds, so that clipping is seen.
      action =
          torch::full({1, spec.actions}, draws.uniform(0, 1.25 * spec.low[0], 1.25 * spec.high[0]));
      if (policy == "hold") {
        action = torch::full({1, spec.actions}, observation[0][1].item<float>() >= 0 ? 1.0 : -1.0);
      }
      action = action.to(torch::kFloat);
    }
    write(state.values.data(), state.values.size());
    write(action);
    const Outcome outcome = envs.step(action);
    write(outcome.final_observation);
    std::printf("%.17g %d %d\n", static_cast<double>(outcome.reward.item<float>()),
                outcome.terminated.item<bool>(), outcome.truncated.item<bool>());
    observation = outcome.observation;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "env_trace NAME STEPS random|hold\n";
    return 2;
  }
  const std::string name = argv[1];
  const int64_t steps = std::atoll(argv[2]);
  const std::string policy = argv[3];
  if (name == "Acrobot-v1") {
    return trace<fdg::rl::Acrobot>(fdg::rl::acrobot(), steps, policy);
  }
  if (name == "CartPole-v1") {
    return trace<fdg::rl::CartPole>(fdg::rl::cartPole(), steps, policy);
  }
  if (name == "MountainCar-v0") {
    return trace<fdg::rl::MountainCar>(fdg::rl::mountainCar(), steps, policy);
  }
  if (name == "MountainCarContinuous-v0") {
    return trace<fdg::rl::MountainCarContinuous>(fdg::rl::mountainCarContinuous(), steps, policy);
  }
  if (name == "Pendulum-v1") {
    return trace<fdg::rl::Pendulum>(fdg::rl::pendulum(), steps, policy);
  }
  std::cerr << "env_trace does not know " << name << "\n";
  return 2;
}
