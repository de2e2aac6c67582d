// Plays two rows of an Atari game by chance and writes, as plain bytes, what compare_atari.py
// reads:
//   atari_trace NAME STEPS
// The rows' seeds (int64) and first observations; then of every step the actions (int64), the final
// observations, the observations, the rewards (float32), and whether they terminated (bool).
#include <cstdlib>
#include <iostream>
#include <string>

#include "algorithms/envs/VectorEnv.h"

namespace {

constexpr int64_t kRows = 2;

void write(const torch::Tensor& tensor) {
  const torch::Tensor plain = tensor.contiguous();
  std::cout.write(static_cast<const char*>(plain.const_data_ptr()),
                  static_cast<std::streamsize>(plain.nbytes()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "atari_trace NAME STEPS\n";
    return 2;
  }
  const std::string name = std::string("gym:") + argv[1];
  const int64_t actions = fdg::rl::envSpec(name).actions;
  fdg::Stream seeds(11, "trace");
  write(torch::tensor({seeds.below(0, int64_t{1} << 31), seeds.below(1, int64_t{1} << 31)}));
  fdg::rl::VectorEnv envs(name, {0, kRows, kRows}, fdg::Stream(11, "trace"));
  fdg::Stream draws(12, "actions");
  write(envs.reset());
  for (int64_t step = 0; step < std::atoll(argv[2]); ++step) {
    const torch::Tensor action = torch::tensor({draws.below(0, actions), draws.below(1, actions)});
    const fdg::rl::Outcome outcome = envs.step(action);
    for (const torch::Tensor& part : {action, outcome.final_observation, outcome.observation,
                                      outcome.reward, outcome.terminated}) {
      write(part);
    }
  }
  return 0;
}
