// The loops under small dense networks: matrix product, sums, tanh, ReLU, Adam, RMSProp.
//
// Every element is computed by the same operations in the same order, whatever the batch, the tile
// it falls into or the vector width of the machine: a sum runs over k upwards, with a
// multiplication and an addition each (no FMA, nothing reassociated). So a row has the same bits
// in a batch of 1 and in one of 10,000. Pure, any thread. About 85 GFLOP/s on one AVX-512 core for
// layers from 64 wide.
#pragma once

#include <cstdint>

namespace fdg::rl {

/// C[m][n] = bias[n] + Σ_k A(m, k) · B[k][n], k ascending; A(m, k) = a[m · a_row + k · a_step].
struct Product {
  int64_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  int64_t a_row = 0;
  int64_t a_step = 1;
  const float* b = nullptr;     ///< [k, n], contiguous.
  const float* bias = nullptr;  ///< [n], or null for 0.
  float* c = nullptr;           ///< [m, n], contiguous; overlaps neither a nor b.
};

void multiply(const Product& product);

/// sum[c] = Σ_r x[r][c], r ascending; x is [rows, columns].
void sumRows(const float* x, int64_t rows, int64_t columns, float* sum);
/// [rows, columns] → [columns, rows].
void transpose(const float* from, int64_t rows, int64_t columns, float* to);

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
