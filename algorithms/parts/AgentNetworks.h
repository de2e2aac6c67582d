// AgentNetworks: rows of observations → outputs of one network for all rows, or of one for each
// agent of a world; a row gives its own observation, or those of all agents of its world.
//
// The layout says which: blocks "actor" or "actor0", "actor1", …; a block whose inputs are several
// observations takes the world's: the row's own first, then those of the agents after it, the first
// following the last. Rows must then be whole worlds, agent by agent. Each row has the same bits in
// every batch. Not thread-safe: holds the activations of its last forward.
#pragma once

#include "algorithms/parts/Network.h"

namespace fdg::rl {

class AgentNetworks {
 public:
  /// `observation`: numbers in one.
  AgentNetworks(const NetworkLayout& layout, const std::string& name, int64_t observation);

  /// Rows that must come together: the agents of a world, or 1.
  int64_t together() const { return std::max(joint_, static_cast<int64_t>(networks_.size())); }
  int64_t outputs() const { return networks_.front().pass.shape().outputs(); }
  /// [rows, observation] → [rows, outputs]; valid until the next forward.
  std::span<const float> forward(const float* parameters, const float* x, int64_t rows);
  /// After forward on the same x: from the derivative by the outputs to the gradient by the
  /// networks' parameters, which is written to their places in `gradient` (of all parameters).
  void backward(const float* parameters, const float* x, const float* d_output, float* gradient);

 private:
  struct Network {
    MlpPass pass;
    int64_t offset;
  };
  bool isPlain() const { return joint_ == 1 && networks_.size() == 1; }
  /// The inputs of each network's rows, network by network.
  void arrange(const float* x);

  std::vector<Network> networks_;
  int64_t observation_;
  int64_t joint_;  // observations in an input
  int64_t rows_ = 0;
  std::vector<float> inputs_;
  std::vector<float> outputs_;
  std::vector<float> d_output_;
};

}  // namespace fdg::rl
