// Robot: one robot of MuJoCo in a task, which stands in for any number of robots in turn.
//
// What tells one robot from another is a few dozen numbers, `save` and `load`; all else MuJoCo
// computes anew in each step. So a thread needs one Robot, not one per row, and the memory that a
// step works on (some MB reserved, some 100 KB used) stays in its cache.
#pragma once

#include <memory>
#include <string>

#include "algorithms/envs/Environment.h"
#include "algorithms/envs/mujoco/Locomotion.h"

namespace fdg::rl {

using Model = std::shared_ptr<const mjModel>;

/// The task's model from the installed package gymnasium. Throws UserError.
Model readModel(const Locomotion& task);

class Robot {
 public:
  Robot(const Locomotion& task, Model model);

  /// A new episode.
  void start(Draw& draw);
  StepResult step(std::span<const float> action);
  /// After the last start or step.
  void observe(Numbers& observation) const;

  /// Everything that later steps depend on.
  void save(Numbers& state) const;
  void load(const Numbers& state);

  const mjData& data() const { return *data_; }

 private:
  struct Free {
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  double controlCost(std::span<const float> action) const;

  const Locomotion* task_;
  Model model_;
  std::unique_ptr<mjData, Free> data_;
  double place_ = 0;  // where progress is measured from; bodies' places lag behind the joints'
};

}  // namespace fdg::rl
