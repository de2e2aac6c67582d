// Policies as distributions over one row: a softmax over logits, a Gaussian with one deviation per
// dimension, or such a Gaussian squashed by a tanh. Continuous policies act in [−1, 1]; the
// environment gets that range mapped to its bounds. Pure; plain float arithmetic per row, so that a
// row has the same bits in every batch.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/envs/VectorEnv.h"

namespace fdg::rl {

/// log Σ exp of n logits.
float logSumExp(const float* logits, int64_t n);
/// Index drawn from softmax(logits) by u in [0, 1).
int64_t sampleSoftmax(const float* logits, int64_t n, double u);
/// A Gaussian's deviations, one for each dimension, and what is asked of them for every row.
struct Deviations {
  std::vector<float> logs;
  std::vector<float> plain;     ///< e^log
  std::vector<double> precise;  ///< The same in double precision.

  void load(const float* log_std, int64_t n);
};
/// Log density of `action`.
float gaussianLogProb(const float* mean, const Deviations& deviations, const float* action);
/// `raw` clipped to [−1, 1] and mapped to the bounds of the environment; as it is where those are
/// infinite.
float toBounds(const EnvSpec& spec, int64_t dimension, float raw);
/// The inverse of toBounds.
float fromBounds(const EnvSpec& spec, int64_t dimension, float action);
/// Log density of tanh(raw) where raw = mean + e^log_std · noise and noise is a standard normal
/// (Haarnoja et al. 2018, appendix C), one dimension.
double squashedLogProb(double raw, double noise, double log_std);
/// A network's output as a log deviation: within [−20, 2].
float boundedLogStd(float output);

}  // namespace fdg::rl
