#include "algorithms/envs/box2d/LunarLander.h"

#include <algorithm>
#include <cmath>

#include "algorithms/envs/SideKinds.h"
#include "base/Check.h"

namespace fdg::rl {
namespace {

constexpr double kScale = LanderWorld::kScale;
constexpr double kStepsASecond = 50;
constexpr double kMainPower = 13.0, kSidePower = 0.6;
constexpr double kMainDown = 4 / kScale;
constexpr double kSideAway = 12 / kScale, kSideHeight = 14 / kScale, kSideShift = 17 / kScale;
constexpr double kFirstForce = 1000.0;
constexpr double kMainFuel = 0.3, kSideFuel = 0.03;

double half(double length) { return length / 2; }

EnvSpec landerSpec(const char* name, bool discrete) {
  EnvSpec spec{.name = name, .observation_shape = {8}, .discrete = discrete, .time_limit = 1000};
  spec.actions = discrete ? 4 : 2;
  if (!discrete) {
    spec.low = {-1.0, -1.0};
    spec.high = {1.0, 1.0};
  }
  return spec;
}

}  // namespace

void LanderTask::reset(Draw& draw) {
  for (double& height : start_.heights) {
    height = draw.uniform(0, half(LanderWorld::kHeight));
  }
  start_.force_x = draw.uniform(-kFirstForce, kFirstForce);
  start_.force_y = draw.uniform(-kFirstForce, kFirstForce);
  steps_.clear();
  world_ = std::make_unique<LanderWorld>(start_);
  prepare(draw);
  fly({});
}

void LanderTask::prepare(Draw& draw) {
  prepared_.askew_x = draw.uniform(-1.0, 1.0) / kScale;
  prepared_.askew_y = draw.uniform(-1.0, 1.0) / kScale;
}

StepResult LanderTask::fly(Engines engines) {
  const bool is_first = steps_.empty();
  engines.askew_x = prepared_.askew_x;
  engines.askew_y = prepared_.askew_y;
  const double before = is_first ? 0 : worth();
  apply(engines);
  steps_.push_back(engines);
  StepResult result{.reward =
                        worth() - before - engines.main * kMainFuel - engines.side * kSideFuel};
  const Flight flight = world_->flight();
  if (flight.crashed || std::abs(seen()[0]) >= 1.0) {
    result = {.reward = -100, .terminated = true};
  }
  if (flight.asleep) {
    result = {.reward = 100, .terminated = true};
  }
  return result;
}

/// An engine pushes the lander away from where its flame leaves it.
void LanderTask::apply(const Engines& e) {
  const Flight flight = world_->flight();
  const double sine = std::sin(static_cast<double>(flight.angle));
  const double cosine = std::cos(static_cast<double>(flight.angle));
  if (e.main > 0) {
    const double down = kMainDown + 2 * e.askew_x;
    const double x = sine * down - cosine * e.askew_y;
    const double y = -cosine * down - sine * e.askew_y;
    world_->push(-x * kMainPower * e.main, -y * kMainPower * e.main, flight.x + x, flight.y + y);
  }
  if (e.side > 0) {
    const double aside = 3 * e.askew_y + e.direction * kSideAway;
    const double x = sine * e.askew_x - cosine * aside;
    const double y = -cosine * e.askew_x - sine * aside;
    // Where Gymnasium has it, 17 aside and not 12: part of the task as it is known.
    world_->push(-x * kSidePower * e.side, -y * kSidePower * e.side,
                 flight.x + x - sine * kSideShift, flight.y + y + cosine * kSideHeight);
  }
  world_->step();
}

void LanderTask::flyAgain() {
  world_.reset();
  if (steps_.empty()) {
    return;  // saved before the first reset
  }
  world_ = std::make_unique<LanderWorld>(start_);
  for (const Engines& engines : steps_) {
    apply(engines);
  }
}

std::array<double, 8> LanderTask::seen() const {
  const Flight f = world_->flight();
  constexpr double kHalfWidth = LanderWorld::kWidth / 2, kHalfHeight = LanderWorld::kHeight / 2;
  constexpr double kRestHeight = LanderWorld::kPadHeight + 18 / kScale;
  return {(f.x - kHalfWidth) / kHalfWidth,
          (f.y - kRestHeight) / kHalfHeight,
          f.velocity_x * kHalfWidth / kStepsASecond,
          f.velocity_y * kHalfHeight / kStepsASecond,
          f.angle,
          20.0 * f.turning / kStepsASecond,
          f.left_touches ? 1.0 : 0.0,
          f.right_touches ? 1.0 : 0.0};
}

/// How near the lander is to rest on the pad; a step is rewarded by how much nearer it brings it.
double LanderTask::worth() const {
  const auto s = seen();
  return -100 * std::sqrt(s[0] * s[0] + s[1] * s[1]) - 100 * std::sqrt(s[2] * s[2] + s[3] * s[3]) -
         100 * std::abs(s[4]) + 10 * s[6] + 10 * s[7];
}

void LanderTask::observe(std::span<float> observation) const {
  std::ranges::transform(seen(), observation.begin(),
                         [](double x) { return static_cast<float>(x); });
}

EnvSpec LunarLander::spec() { return landerSpec("LunarLander-v3", true); }

StepResult LunarLander::step(int64_t action) {
  const bool is_side = action == 1 || action == 3;
  return fly({.main = action == 2 ? 1.0 : 0.0,
              .side = is_side ? 1.0 : 0.0,
              .direction = is_side ? static_cast<double>(action - 2) : 0.0});
}

EnvSpec LunarLanderContinuous::spec() { return landerSpec("LunarLanderContinuous-v3", false); }

StepResult LunarLanderContinuous::step(std::span<const float> action) {
  const double main = std::clamp<double>(action[0], -1, 1);
  const double side = std::clamp<double>(action[1], -1, 1);
  Engines engines;
  if (main > 0) {
    engines.main = (main + 1) * 0.5;
  }
  if (std::abs(side) > 0.5) {
    engines.side = std::abs(side);
    engines.direction = side > 0 ? 1 : -1;
  }
  return fly(engines);
}

extern "C" void fdgMakeKind(const std::string& name, EnvKind& kind) {
  FDG_CHECK(name == LunarLander::spec().name || name == LunarLanderContinuous::spec().name, name);
  kind = name == LunarLander::spec().name ? environment<LunarLander>()
                                          : environment<LunarLanderContinuous>();
}

}  // namespace fdg::rl
