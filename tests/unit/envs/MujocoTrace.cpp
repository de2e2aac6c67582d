// Steps one of MuJoCo's robots and writes every step in float64, for compare_mujoco.py:
//   mujoco_trace NAME STEPS    or    mujoco_trace NAME starts: 400 starts only
// A line is `start` with positions and velocities, or `step` with the action, what is observed, the
// reward and whether the episode terminated. A VectorEnv that draws the same goes along: its
// results must be those of the robot, rounded to float32.
#include <cstdlib>
#include <iomanip>
#include <iostream>

#include "algorithms/envs/mujoco/Robot.h"

namespace {

using namespace fdg::rl;

void write(std::span<const double> numbers) {
  for (const double number : numbers) {
    std::cout << ' ' << number;
  }
}

void writeStart(const Model& model, const Robot& robot) {
  std::cout << "start";
  write({robot.data().qpos, static_cast<size_t>(model->nq)});
  write({robot.data().qvel, static_cast<size_t>(model->nv)});
  std::cout << '\n';
}

bool isRounded(const Numbers& numbers, const torch::Tensor& row) {
  return torch::tensor(numbers, torch::kDouble).to(torch::kFloat).equal(row);
}

int trace(const Locomotion& task, int64_t steps) {
  const Model model = readModel(task);
  Robot robot(task, model);
  fdg::Stream stream(11, "trace");
  Draw draw(stream, 0);
  VectorEnv envs(task.name, {0, 1, 1}, fdg::Stream(11, "trace"));
  fdg::Stream actions(12, "actions");
  robot.start(draw);
  Numbers seen;
  robot.observe(seen);
  bool same = isRounded(seen, envs.reset()[0]);
  writeStart(model, robot);
  int64_t length = 0;
  for (int64_t i = 0; i < steps; ++i) {
    std::vector<float> action;
    for (int d = 0; d < model->nu; ++d) {  // a fifth beyond the bounds, so that clipping is seen
      const double most = 1.25 * model->actuator_ctrlrange[2 * d + 1];
      action.push_back(static_cast<float>(actions.uniform(0, -most, most)));
    }
    const Outcome outcome = envs.step(torch::tensor(action).unsqueeze(0));
    const StepResult result = robot.step(action);
    robot.observe(seen);
    std::cout << "step";
    write(std::vector<double>(action.begin(), action.end()));
    write(seen);
    std::cout << ' ' << result.reward << ' ' << result.terminated << '\n';
    const bool ended = result.terminated || ++length == 1000;
    same = same && isRounded(seen, outcome.final_observation[0]) &&
           outcome.reward.item<float>() == static_cast<float>(result.reward) &&
           outcome.terminated.item<bool>() == result.terminated &&
           outcome.truncated.item<bool>() == (ended && length == 1000);
    if (ended) {
      robot.start(draw);
      robot.observe(seen);
      same = same && isRounded(seen, outcome.observation[0]);
      writeStart(model, robot);
      length = 0;
    }
  }
  if (!same) {
    std::cerr << task.name << ": VectorEnv does not give what the robot gives\n";
  }
  return same ? 0 : 1;
}

int traceStarts(const Locomotion& task) {
  const Model model = readModel(task);
  Robot robot(task, model);
  fdg::Stream stream(13, "starts");
  for (int64_t row = 0; row < 400; ++row) {
    Draw draw(stream, row);
    robot.start(draw);
    writeStart(model, robot);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::cout << std::setprecision(17);
  for (const Locomotion* task : {&kAnt, &kHalfCheetah, &kHopper, &kHumanoid, &kWalker2d}) {
    if (argc == 3 && std::string(argv[1]) == task->name) {
      return std::string(argv[2]) == "starts" ? traceStarts(*task)
                                              : trace(*task, std::atoll(argv[2]));
    }
  }
  std::cerr << "mujoco_trace NAME STEPS|starts, NAME one of the robots\n";
  return 2;
}
