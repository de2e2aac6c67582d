// Environment steps per second of one VectorEnv: env_bench NAME ROWS SECONDS
//
// Actions are drawn before the clock starts. Prints the rate, the rate by the CPU time of all
// threads, and, so that nothing is measured that was not done, the number of episodes and the sum
// of all rewards.
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>

#include "algorithms/envs/VectorEnv.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "env_bench NAME ROWS SECONDS\n";
    return 2;
  }
  torch::set_num_threads(1);
  const int64_t rows = std::atoll(argv[2]);
  const double seconds = std::atof(argv[3]);
  const fdg::rl::EnvSpec spec = fdg::rl::envSpec(argv[1]);
  fdg::rl::VectorEnv envs(argv[1], {0, rows, rows}, fdg::Stream(1, "env"));
  fdg::Stream draws(2, "actions");
  std::vector<torch::Tensor> actions;
  for (int i = 0; i < 256; ++i) {
    torch::Tensor action =
        spec.discrete ? torch::empty({rows}, torch::kLong) : torch::empty({rows, spec.actions});
    for (int64_t row = 0; row < rows; ++row) {
      if (spec.discrete) {
        action[row] = draws.below(0, spec.actions);
      } else {
        action[row].fill_(draws.uniform(0, spec.low[0], spec.high[0]));
      }
    }
    actions.push_back(action);
  }
  envs.reset();
  int64_t steps = 0;
  double rewards = 0;
  double episodes = 0;
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t cpu_begin = std::clock();
  double taken = 0;
  while (taken < seconds) {
    for (const torch::Tensor& action : actions) {
      const fdg::rl::Outcome outcome = envs.step(action);
      episodes += envs.finishedReturns().weight;
      rewards += outcome.reward.data_ptr<float>()[0];
    }
    steps += static_cast<int64_t>(actions.size()) * rows;
    taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  const double cpu = static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
  std::cout << static_cast<double>(steps) / taken << ' ' << static_cast<double>(steps) / cpu
            << " steps/s, " << episodes << " episodes, " << rewards << " reward of row 0\n";
  return 0;
}
