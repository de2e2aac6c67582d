// QActor: ε-greedy actions from Q-values, and the values that it acted with.
//
// Row r explores with draws from row r of the stream; ε falls with the program's step, or is fixed
// per row on the ladder of Ape-X (Horgan et al. 2018, section 4.1), where r counts over all rows
// of the run. A row gets the same action whichever replica owns it. Not thread-safe.
#pragma once

#include "algorithms/parts/QNetwork.h"
#include "algorithms/parts/Transitions.h"

namespace fdg::rl {

class FDG_ROLE("actor") QActor {
 public:
  QActor(const EnvSpec& spec, Rows rows, const DqnOptions& options, Stream stream);

  /// Must come before the first act. Copies.
  void load(FDG_LATEST const Weights& weights);
  /// [rows, …] → [rows] int64.
  torch::Tensor act(const torch::Tensor& observation, int64_t step);
  /// Q-values behind the last act, and of the final observations where `outcome` cut an episode
  /// off.
  ActedValues values(const Outcome& outcome);

  template <class A>
  void archive(A& a) {
    a(stream_, parameters_, taken_, best_);
  }

 private:
  double exploration(int64_t row, int64_t step) const;
  float bestAt(const torch::Tensor& observations, int64_t row);

  Rows rows_;
  DqnOptions options_;
  NetworkLayout layout_;
  QNetwork network_;
  Stream stream_;
  std::vector<float> parameters_;
  std::vector<float> taken_, best_;
};

}  // namespace fdg::rl
