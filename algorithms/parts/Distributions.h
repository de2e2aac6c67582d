// Policies as distributions over one row: a softmax over logits, or a Gaussian with one deviation
// per dimension. Continuous policies act in [−1, 1]; the environment gets that range mapped to its
// bounds. Pure; plain float arithmetic per row, so that a row has the same bits in every batch.
#pragma once

#include <cstdint>

#include "algorithms/envs/VectorEnv.h"

namespace fdg::rl {

/// log Σ exp of n logits.
float logSumExp(const float* logits, int64_t n);
/// Index drawn from softmax(logits) by u in [0, 1).
int64_t sampleSoftmax(const float* logits, int64_t n, double u);
/// Log density of `action` under the mean and log deviations.
float gaussianLogProb(const float* mean, const float* log_std, const float* action, int64_t n);
/// `raw` clipped to [−1, 1] and mapped to the bounds of the environment; as it is where those are
/// infinite.
float toBounds(const EnvSpec& spec, int64_t dimension, float raw);

}  // namespace fdg::rl
