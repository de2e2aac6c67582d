// Running moments of numbers that come in rows, the same on all replicas, and the scaling of
// observations by them.
//
//   sums = normaliser.sums(rows, count);     sum them over replicas
//   normaliser.absorb(sums);
//
// Sums are of differences from the present mean, in float64, and merged as by Chan, Golub and
// LeVeque (1983). Not thread-safe.
#pragma once

#include "algorithms/parts/Network.h"

namespace fdg::rl {

class Normaliser {
 public:
  explicit Normaliser(int64_t size);

  /// [1 + 2 · size] float64: count, sums, sums of squares of [count, size] numbers.
  torch::Tensor sums(const float* rows, int64_t count) const;
  void absorb(const torch::Tensor& sums);
  double mean(int64_t i) const { return mean_[static_cast<size_t>(i)]; }
  /// 1 before anything was absorbed; at least 1e-4.
  double deviation(int64_t i) const;

  template <class A>
  void archive(A& a) {
    a(count_, mean_, squares_);
  }

 private:
  double count_ = 0;
  std::vector<double> mean_, squares_;
};

/// Observations as a network with the blocks "observation_mean" and "observation_scale" (vectors
/// that are not learned) sees them: (x − mean) · scale, clipped to ±10. Without these, as they are.
class ScaledObservations {
 public:
  /// Adds the two blocks.
  static void addTo(NetworkLayout& layout, int64_t size);
  explicit ScaledObservations(const NetworkLayout& layout);

  bool scales() const { return mean_ >= 0; }
  /// Of `rows` observations; valid until the next call.
  const float* of(const float* parameters, const float* x, int64_t rows);
  void load(const Normaliser& normaliser, std::vector<float>& parameters) const;

 private:
  int64_t mean_ = -1, scale_ = -1, size_ = 0;  // places in the parameters
  std::vector<float> scaled_;
};

}  // namespace fdg::rl
