// A3cParameters: the shared parameters of A3C, to which gradients are applied one by one, in the
// order in which they come, with one RMSProp for all (Mnih et al. 2016, section 4). Not
// thread-safe.
#pragma once

#include "algorithms/parts/A3cWorker.h"
#include "algorithms/parts/Optimizer.h"

namespace fdg::rl {

class FDG_ROLE("parameters") FDG_SINGLE(
    "applies gradients one by one, and replicas would each apply their own") A3cParameters {
 public:
  /// `updates`: gradients of the whole run, over which the learning rate falls.
  A3cParameters(const EnvSpec& spec, int64_t updates, const A2cOptions& options, Stream stream);

  /// A copy.
  Weights weights() const { return makeWeights(parameters_, layout_); }
  /// One step for each row.
  void apply(const RowGradients& gradients);
  /// Mean of the last apply's rows.
  double loss() const { return loss_; }

  template <class A>
  void archive(A& a) {
    a(parameters_, optimizer_, done_, loss_);
  }

 private:
  A2cOptions options_;
  int64_t updates_;
  NetworkLayout layout_;
  std::vector<float> parameters_;
  RmsProp optimizer_;
  int64_t done_ = 0;
  double loss_ = 0;
};

}  // namespace fdg::rl
