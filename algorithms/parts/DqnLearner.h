// DqnLearner: batches of transitions → gradients → new weights and new errors.
//
// Loss: Huber of Q(s, a) − (R + γ^k Q_target(s', a*)), weighted by the importance weights, mean
// over the rows (Mnih et al. 2015); a* by the online network if double_q (van Hasselt et al.
// 2016), else by the target network. One step of the optimizer per apply; every target_every of
// them the target network moves to the online one by target_rate. `gradients` remembers the rows'
// errors; `apply` with the batch gives them out. Not thread-safe.
#pragma once

#include <variant>

#include "algorithms/parts/Gradients.h"
#include "algorithms/parts/QNetwork.h"
#include "algorithms/parts/Transitions.h"

namespace fdg::rl {

class FDG_ROLE("learner") DqnLearner {
 public:
  DqnLearner(const EnvSpec& spec, const DqnOptions& options, Stream stream);

  /// A copy.
  Weights weights() const { return makeWeights(online_, layout_); }
  /// Weighted by the rows of the batch, which may be 0.
  Weighted<Gradients> gradients(const Batch& batch);
  void apply(const Weighted<Gradients>& gradients);
  /// Also gives the errors found by `gradients(batch)`, for the replay.
  Priorities apply(const Weighted<Gradients>& gradients, const Batch& batch);
  /// Of the last apply.
  double loss() const { return loss_; }

  template <class A>
  void archive(A& a) {
    a(online_, target_);
    std::visit([&](auto& optimizer) { a(optimizer); }, optimizer_);
    a(errors_, updates_, loss_);
  }

 private:
  std::vector<float> targets(const Transitions& rows);

  DqnOptions options_;
  NetworkLayout layout_;
  QNetwork network_;
  QNetwork other_;
  std::vector<float> online_, target_;
  std::variant<Adam, CentredRmsProp> optimizer_;
  std::vector<float> errors_;
  int64_t updates_ = 0;
  double loss_ = 0;
};

/// Linear from 1 to 0.01 over `span` updates, then 0.01; always 1 if span is 0.
double decayed(int64_t updates, int64_t span);

}  // namespace fdg::rl
