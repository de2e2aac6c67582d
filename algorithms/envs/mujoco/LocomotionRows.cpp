// Rows of a walking robot: their states, and a Robot for each thread that steps them in turn.
#include <algorithm>

#include "algorithms/envs/RowThreads.h"
#include "algorithms/envs/SideKinds.h"
#include "algorithms/envs/mujoco/Robot.h"
#include "base/Check.h"

namespace fdg::rl {
namespace {

constexpr int64_t kTimeLimit = 1000;

class LocomotionRows final : public EnvRows {
 public:
  LocomotionRows(const Locomotion& task, const Model& model, const EnvSpec& spec, int64_t rows)
      : dimensions_(static_cast<size_t>(spec.actions)),
        size_(static_cast<size_t>(spec.observationSize())),
        states_(static_cast<size_t>(rows)),
        threads_(std::clamp<size_t>(environmentThreads(), 1, std::max<size_t>(1, states_.size()))),
        seen_(threads_.size()) {
    for (size_t i = 0; i < threads_.size(); ++i) {
      robots_.emplace_back(task, model);
    }
    for (Numbers& state : states_) {
      robots_.front().save(state);
    }
  }

  void reset(int64_t row, Draw& draw, std::span<std::byte> observation) override {
    Robot& robot = robots_.front();
    robot.start(draw);
    robot.save(states_[static_cast<size_t>(row)]);
    observe(0, numbersOf<float>(observation));
  }

  void step(const Actions& actions, Stream& /*stream*/, int64_t /*first_row*/,
            std::span<StepResult> results, std::span<std::byte> observations) override {
    const std::span<float> numbers = numbersOf<float>(observations);
    threads_.each(states_.size(), [&](size_t thread, size_t begin, size_t end) {
      Robot& robot = robots_[thread];
      for (size_t i = begin; i < end; ++i) {
        robot.load(states_[i]);
        results[i] = robot.step({actions.continuous + i * dimensions_, dimensions_});
        robot.save(states_[i]);
        observe(thread, numbers.subspan(i * size_, size_));
      }
    });
  }

  void archive(Archive& a) override {
    const size_t size = states_.empty() ? 0 : states_.front().size();
    for (Numbers& state : states_) {
      a(state);
      if (state.size() != size) {
        throw UserError("what was saved is of another robot or another version of MuJoCo");
      }
    }
  }

 private:
  void observe(size_t thread, std::span<float> observation) {
    Numbers& seen = seen_[thread];
    robots_[thread].observe(seen);
    std::ranges::transform(seen, observation.begin(),
                           [](double x) { return static_cast<float>(x); });
  }

  size_t dimensions_;
  size_t size_;
  std::vector<Numbers> states_;
  RowThreads threads_;
  std::vector<Robot> robots_;  // by thread
  std::vector<Numbers> seen_;  // by thread
};

EnvSpec specOf(const Locomotion& task, const Model& model) {
  Numbers seen;
  Robot(task, model).observe(seen);
  EnvSpec spec{.name = task.name,
               .observation_shape = {static_cast<int64_t>(seen.size())},
               .discrete = false,
               .actions = model->nu,
               .time_limit = kTimeLimit};
  for (int i = 0; i < model->nu; ++i) {
    spec.low.push_back(model->actuator_ctrlrange[2 * i]);
    spec.high.push_back(model->actuator_ctrlrange[2 * i + 1]);
  }
  return spec;
}

}  // namespace

extern "C" void fdgMakeKind(const std::string& name, EnvKind& kind) {
  for (const Locomotion* task : {&kAnt, &kHalfCheetah, &kHopper, &kHumanoid, &kWalker2d}) {
    if (name == task->name) {
      const Model model = readModel(*task);
      const EnvSpec spec = specOf(*task, model);
      kind = {spec, [task, model, spec](int64_t rows) {
                return std::make_unique<LocomotionRows>(*task, model, spec, rows);
              }};
      return;
    }
  }
  FDG_CHECK(false, name);
}

}  // namespace fdg::rl
