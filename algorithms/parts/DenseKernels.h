// The loops under small dense networks: tanh, ReLU, Adam, RMSProp, and DenseProduct's.
//
// Every element is computed by the same operations in the same order, whatever the batch, the place
// it falls into or the vector width of the machine. Pure, any thread.
#pragma once

#include <cstdint>

#include "algorithms/parts/DenseProduct.h"

namespace fdg::rl {

/// x = tanh(x), at most 2 units in the last place off.
void tanhInPlace(float* x, int64_t count);
void reluInPlace(float* x, int64_t count);
/// The same function as tanhInPlace, one value.
float tanhOf(float x);

/// d *= derivative of the activation, given its output y.
void tanhBackward(float* d, const float* y, int64_t count);
void reluBackward(float* d, const float* y, int64_t count);

struct AdamStep {
  float learning_rate;  ///< With the correction of the first moment's bias.
  float beta1, beta2;
  float second_correction;  ///< 1 / (1 − β2^t).
  float epsilon;
  float scale;  ///< The gradient is multiplied by it (clipping).
};
void adamStep(const AdamStep& how, int64_t count, const float* gradient, float* first,
              float* second, float* parameters);

struct RmsPropStep {
  float learning_rate;
  float decay;  ///< Of the mean of squares.
  float epsilon;
  float scale;  ///< The gradient is multiplied by it (clipping).
};
void rmsPropStep(const RmsPropStep& how, int64_t count, const float* gradient, float* squares,
                 float* parameters);
/// With the means of gradients; ε is added to the variance.
void centredRmsPropStep(const RmsPropStep& how, int64_t count, const float* gradient, float* means,
                        float* squares, float* parameters);

}  // namespace fdg::rl
