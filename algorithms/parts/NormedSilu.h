// NormedSilu: rows of a layer's outputs → the same normalised to mean 0 and deviation 1, scaled and
// shifted (LayerNorm, Ba et al. 2016), through x · σ(x) (SiLU, Elfwing et al. 2018); and back.
//
// A row has the same bits in every batch. Refuses nothing; callers check sizes. Holds what its last
// forward found. Not thread-safe.
#pragma once

#include <cstdint>
#include <vector>

namespace fdg::rl {

class NormedSilu {
 public:
  /// Gain [n], then shift [n].
  static int64_t parameters(int64_t n) { return 2 * n; }

  /// In place, x is [rows, n].
  void forward(const float* parameters, int64_t n, float* x, int64_t rows);
  /// After forward: d [rows, n], the derivative by its outputs, becomes that by its inputs. That by
  /// its parameters, summed over the rows, is written to `gradient` unless null, or
  /// added to it.
  void backward(const float* parameters, int64_t n, float* d, int64_t rows, float* gradient,
                bool adds);

 private:
  std::vector<float> normal_;   // [rows, n]: before gain and shift
  std::vector<float> inverse_;  // [rows]: of the deviation
  std::vector<float> slope_;    // [rows, n]: of the SiLU
};

}  // namespace fdg::rl
