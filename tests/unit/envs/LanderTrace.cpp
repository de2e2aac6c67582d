// Flies a native lander for compare_lander.py:
//   lander_trace NAME EPISODES
// Every episode is a line `start` with the ground's heights, the first force, and how askew the
// engines of the first step are, followed by a line `step` each: the action, how askew the engines
// are, where the lander is before and after, what is observed, the reward, whether it terminated.
// A controller that lands flies, in every second episode disturbed by random actions.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>

#include "algorithms/envs/box2d/LunarLander.h"

namespace {

using namespace fdg::rl;

void write(const Flight& f) {
  std::cout << ' ' << f.x << ' ' << f.y << ' ' << f.angle << ' ' << f.velocity_x << ' '
            << f.velocity_y << ' ' << f.turning << ' ' << f.left_touches << ' ' << f.right_touches
            << ' ' << f.crashed << ' ' << f.asleep;
}

void write(const Engines& e) { std::cout << ' ' << e.askew_x << ' ' << e.askew_y; }

/// Tilts towards the pad and brakes; {how much to rise, how much to turn}.
std::array<double, 2> steer(std::span<const float> s) {
  const double tilt = std::clamp(0.5 * s[0] + s[2], -0.4, 0.4);
  double turn = (tilt - s[4]) * 0.5 - s[5];
  double rise = (0.55 * std::abs(s[0]) - s[1]) * 0.5 - s[3] * 0.5;
  if (s[6] > 0 || s[7] > 0) {
    turn = 0;
    rise = -s[3] * 0.5;
  }
  return {rise, turn};
}

int64_t discreteAction(std::span<const float> seen) {
  const auto [rise, turn] = steer(seen);
  if (rise > std::abs(turn) && rise > 0.05) {
    return 2;
  }
  return turn < -0.05 ? 3 : turn > 0.05 ? 1 : 0;
}

template <class E>
StepResult act(E& lander, std::span<const float> seen, bool by_chance, Draw& draw, Draw& chance) {
  lander.prepare(draw);
  if constexpr (RowsOf<E>::kDiscrete) {
    const int64_t action = by_chance ? chance.below(4) : discreteAction(seen);
    std::cout << ' ' << action;
    return lander.step(action);
  } else {
    const auto [rise, turn] = steer(seen);
    std::array<float, 2> action = {static_cast<float>(rise * 20 - 1),
                                   static_cast<float>(-turn * 20)};
    for (float& part : action) {  // now and then beyond the bounds
      part =
          by_chance ? static_cast<float>(chance.uniform(-1.3, 1.3)) : std::clamp(part, -1.F, 1.F);
      std::cout << ' ' << part;
    }
    return lander.step(action);
  }
}

template <class E>
void fly(int64_t row) {
  fdg::Stream stream(21, "lander"), chances(22, "actions");
  Draw draw(stream, row), chance(chances, row);
  E lander;
  lander.reset(draw);
  std::cout << "start";
  for (const double height : lander.start().heights) {
    std::cout << ' ' << height;
  }
  std::cout << ' ' << lander.start().force_x << ' ' << lander.start().force_y;
  write(lander.lastEngines());
  write(lander.flight());
  std::cout << '\n';
  std::array<float, 8> seen{};
  lander.observe(seen);
  StepResult result;
  for (int64_t step = 0; step < E::spec().time_limit && !result.terminated; ++step) {
    const Flight before = lander.flight();
    std::cout << "step";
    result = act(lander, seen, row % 2 == 1 && chance.uniform(0, 1) < 0.5, draw, chance);
    write(lander.lastEngines());
    write(before);
    write(lander.flight());
    lander.observe(seen);
    for (const float number : seen) {
      std::cout << ' ' << number;
    }
    std::cout << ' ' << result.reward << ' ' << result.terminated << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::cout << std::setprecision(17);
  const std::string name = argc == 3 ? argv[1] : "";
  for (int64_t row = 0; argc == 3 && row < std::atoll(argv[2]); ++row) {
    if (name == LunarLander::spec().name) {
      fly<LunarLander>(row);
    } else if (name == LunarLanderContinuous::spec().name) {
      fly<LunarLanderContinuous>(row);
    } else {
      break;
    }
  }
  return argc == 3 ? 0 : 2;
}
