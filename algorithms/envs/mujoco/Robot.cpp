#include "algorithms/envs/mujoco/Robot.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "algorithms/envs/PythonHome.h"
#include "base/Check.h"

namespace fdg::rl {
namespace {

constexpr unsigned kState = mjSTATE_INTEGRATION;

/// In the order of NumPy's sum, which shows in float32: eight sums side by side, then their sum
/// pair by pair, then what is left over.
template <class T, class V>
T squaredLength(const V* values, size_t count) {
  const auto square = [values](size_t i) { return static_cast<T>(values[i] * values[i]); };
  constexpr size_t kWidth = 8;
  T sum = 0;
  size_t i = 0;
  if (count >= kWidth) {
    std::array<T, kWidth> sums{};
    for (; i + kWidth <= count; i += kWidth) {
      for (size_t k = 0; k < kWidth; ++k) {
        sums[k] += square(i + k);
      }
    }
    sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  }
  for (; i < count; ++i) {
    sum += square(i);
  }
  return sum;
}

std::string modelFile(const Locomotion& task) {
  namespace fs = std::filesystem;
  const std::string lib = pythonHome() + "/lib";
  std::error_code none;
  for (const auto& folder : fs::directory_iterator(lib, none)) {
    const fs::path file = folder.path() / "site-packages/gymnasium/envs/mujoco/assets" / task.model;
    if (folder.path().filename().string().starts_with("python3") && fs::exists(file, none)) {
      return file.string();
    }
  }
  throw UserError(std::string(task.name) + " reads its robot, " + task.model +
                  ", from the Python package gymnasium, which is not in " + lib +
                  "/python3*/site-packages. Install it with " + pythonHome() +
                  "/bin/pip install gymnasium==1.4.0, or name another virtual environment with "
                  "FDG_PYTHON_HOME=FOLDER");
}

/// Instead of a file MUJOCO_LOG.TXT in the working folder.
void warn(const char* message) { std::cerr << "MuJoCo: " << message << "\n"; }

}  // namespace

Model readModel(const Locomotion& task) {
  mju_user_warning = &warn;
  const std::string file = modelFile(task);
  std::array<char, 1000> error{};
  mjModel* model = mj_loadXML(file.c_str(), nullptr, error.data(), error.size());
  if (model == nullptr) {
    throw UserError(std::string(task.name) + ": MuJoCo cannot read " + file + ": " + error.data());
  }
  return {model, [](mjModel* m) { mj_deleteModel(m); }};
}

Robot::Robot(const Locomotion& task, Model model)
    : task_(&task), model_(std::move(model)), data_(mj_makeData(model_.get())) {
  if (!data_) {
    throw UserError(std::string(task.name) + ": MuJoCo has no memory for another robot");
  }
}

void Robot::start(Draw& draw) {
  mj_resetData(model_.get(), data_.get());
  const double noise = task_->noise;
  for (int i = 0; i < model_->nq; ++i) {
    data_->qpos[i] += draw.uniform(-noise, noise);
  }
  for (int i = 0; i < model_->nv; ++i) {
    data_->qvel[i] +=
        task_->normal_velocities ? noise * draw.normal() : draw.uniform(-noise, noise);
  }
  mj_forward(model_.get(), data_.get());
  place_ = task_->position(*model_, *data_);
}

StepResult Robot::step(std::span<const float> action) {
  std::ranges::copy(action, data_->ctrl);
  for (int i = 0; i < task_->frame_skip; ++i) {
    mj_step(model_.get(), data_.get());
  }
  if (task_->has_contacts) {
    mj_rnePostConstraint(model_.get(), data_.get());
  }
  const double before = std::exchange(place_, task_->position(*model_, *data_));
  const double seconds = model_->opt.timestep * task_->frame_skip;
  const bool healthy = task_->healthy(*model_, *data_);
  const double gain =
      task_->forward_weight * ((place_ - before) / seconds) + (healthy ? task_->healthy_reward : 0);
  return {.reward = gain - (controlCost(action) + task_->contactCost(*model_, *data_)),
          .terminated = !healthy};
}

double Robot::controlCost(std::span<const float> action) const {
  if (task_->wide_control_cost) {
    return task_->control_weight * squaredLength<double>(data_->ctrl, action.size());
  }
  return static_cast<float>(task_->control_weight) *
         squaredLength<float>(action.data(), action.size());
}

void Robot::observe(Numbers& observation) const {
  observation.clear();
  task_->observe(*model_, *data_, observation);
}

void Robot::save(Numbers& state) const {
  const auto size = static_cast<size_t>(mj_stateSize(model_.get(), kState));
  state.resize(size + 1);
  mj_getState(model_.get(), data_.get(), state.data(), kState);
  state[size] = place_;
}

void Robot::load(const Numbers& state) {
  mj_setState(model_.get(), data_.get(), state.data(), kState);
  place_ = state.back();
}

}  // namespace fdg::rl
