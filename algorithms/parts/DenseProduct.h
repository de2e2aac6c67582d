// The product of small dense matrices; sums over rows, transposing.
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
  bool adds = false;            ///< To what c holds, as if k began there; there is no bias then.
};

void multiply(const Product& product);

/// sum[c] = Σ_r x[r][c], r ascending; x is [rows, columns]. `adds`: to what `sum` holds.
void sumRows(const float* x, int64_t rows, int64_t columns, float* sum, bool adds = false);
/// [rows, columns] → [columns, rows].
void transpose(const float* from, int64_t rows, int64_t columns, float* to);

}  // namespace fdg::rl
