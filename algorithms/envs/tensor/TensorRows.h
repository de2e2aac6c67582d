// TensorRows: what VectorEnv does with rows that step as tensors: time limits, resets, statistics.
//
// Draws starts on the CPU, each from its row of the stream, as native rows do. Which episodes ended
// comes to the CPU once a step, so a step waits for the device once. Not thread-safe.
#pragma once

#include "algorithms/envs/Finished.h"
#include "algorithms/envs/tensor/TensorKind.h"

namespace fdg::rl {

class TensorRows {
 public:
  TensorRows(const EnvSpec& spec, const TensorKind& kind, Rows rows, torch::Device device);

  torch::Tensor reset(Stream& stream);
  Outcome step(const torch::Tensor& action, Stream& stream, Finished& finished);
  void archive(Archive& a);

 private:
  void start(const std::vector<int64_t>& worlds, Stream& stream);
  bool startEnded(const torch::Tensor& ended, Stream& stream, Finished& finished);

  EnvSpec spec_;
  TensorKind kind_;
  Rows rows_;
  torch::Device device_;
  std::unique_ptr<TensorRules> rules_;
  torch::Tensor state_;              // [numbers, worlds] float64
  torch::Tensor returns_, lengths_;  // [rows] float64, int64, of the running episodes
};

}  // namespace fdg::rl
