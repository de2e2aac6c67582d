// NStep: single steps of several environments → n-step transitions (Sutton and Barto 2018, section
// 7.1).
//
// A transition sums at most n rewards of one environment and one episode. It ends early where the
// episode does: after a termination its discount is 0; after a truncation it goes on from the
// final observation. Rows come out environment by environment, oldest first, so that the shares of
// replicas, one after the other, are the rows of the whole. Copies what it keeps. Not thread-safe.
// O(n) per row.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/envs/VectorEnv.h"
#include "algorithms/parts/Transitions.h"

namespace fdg::rl {

class FDG_ROLE("actor") NStep {
 public:
  /// n ≥ 1, 0 ≤ γ ≤ 1; else throws UserError. `signs`: sums the signs of rewards (Mnih et al.
  /// 2015).
  NStep(int64_t n, double gamma, bool signs = false);

  /// The transitions that the step completes: up to one per row, up to n where an episode ends.
  Transitions push(const torch::Tensor& observation, const torch::Tensor& action,
                   const Outcome& outcome);

  /// The same with initial errors |R + γ^k · max Q(s') − Q(s, a)| from the values that the actor
  /// acted with. A transition whose s' has not been acted in yet waits for the next push.
  Experience push(const torch::Tensor& observation, const torch::Tensor& action,
                  const Outcome& outcome, const ActedValues& values);

  /// How many of the last push's transitions each row gave.
  const std::vector<int64_t>& counts() const { return counts_; }

  template <class A>
  void archive(A& a) {
    a(rows_, counts_);
  }

 private:
  using Bytes = std::vector<uint8_t>;
  struct Step {
    Bytes observation;
    Bytes action;
    double reward;
    float taken;
  };
  struct Done {
    Bytes observation, action, next_observation;
    float reward, discount, taken;
  };
  struct Row {
    std::vector<Step> steps;
    std::vector<Done> waiting;  // for the value of the observation they go on from
  };
  struct Gathered {
    Bytes observation, action, next_observation;
    std::vector<float> reward, discount, error;
  };

  Gathered pushRows(const torch::Tensor& observation, const torch::Tensor& action,
                    const Outcome& outcome, const ActedValues* values);
  Done complete(const Row& row, size_t first, const Bytes& next, bool terminated) const;
  static void emit(Gathered& out, const Done& done, float value);
  static Transitions asTransitions(const Gathered& out, const torch::Tensor& observation,
                                   const torch::Tensor& action);

  size_t n_;
  double gamma_;
  bool signs_;
  std::vector<Row> rows_;
  std::vector<int64_t> counts_;
};

}  // namespace fdg::rl
