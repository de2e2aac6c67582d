// C51Critics: two networks that say how the return of a state and a continuous action is
// distributed over fixed values (atoms; Bellemare et al. 2017), their targets and their optimiser.
//
// Each critic learns from its own target network, and actions are rated by the mean of both: with
// normed layers the smaller value underestimates more than it helps (Seo et al. 2025). Loss: cross
// entropy, summed over the critics, mean over the rows. Actions are in the policy's range [−1, 1].
// Row for row the same bits in every batch, but for the gradients' sums. Not thread-safe.
#pragma once

#include "algorithms/parts/ContinuousOptions.h"
#include "algorithms/parts/QCritics.h"

namespace fdg::rl {

class C51Critics {
 public:
  /// Weights are drawn from row 0 of the stream. Throws UserError for options out of range.
  C51Critics(const EnvSpec& spec, const FastSacOptions& options, Stream& stream);

  /// What the target networks say of R + discount · (value + bonus), brought back to the atoms:
  /// [critics, rows, atoms].
  std::vector<float> wanted(const Transitions& rows, const std::vector<float>& next_action,
                            const std::vector<float>& bonus);
  /// Of the loss, weighted by the rows, which may be 0.
  Weighted<Gradients> gradients(const Transitions& rows, const std::vector<float>& wanted);
  /// Of the online networks: the mean of the critics' expected values.
  Rating rate(const torch::Tensor& observation, const std::vector<float>& action);

  void apply(const Weighted<Gradients>& gradients);
  /// Moves the target networks towards the online ones.
  void moveTargets() { follow(online_, options_.target_rate, target_); }
  /// Online and target networks; a copy.
  Weights weights() const;

  template <class A>
  void archive(A& a) {
    a(online_, target_, optimizer_);
  }

 private:
  int64_t offset(size_t critic) const { return layout_.blocks()[critic].offset; }
  /// Probabilities of the atoms by a critic with these parameters, [rows, atoms]; valid until the
  /// next call. Also adds, if given, − Σ wanted · log probability of all rows.
  const std::vector<float>& distribution(size_t critic, const std::vector<float>& parameters,
                                         const float* x, int64_t rows,
                                         const float* wanted = nullptr, double* entropy = nullptr);

  EnvSpec spec_;
  FastSacOptions options_;
  NetworkLayout layout_;
  std::vector<MlpPass> passes_;  // one per critic
  std::vector<float> online_, target_;
  Adam optimizer_;
  std::vector<float> atoms_;  // their values
  std::vector<float> joined_, chances_;
};

}  // namespace fdg::rl
