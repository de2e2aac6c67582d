// Stream: random numbers that do not depend on who draws them.
//
// A stream is keyed by the run's seed and a name. Row r's n-th draw is the same in every process
// and for every number of replicas. Draws of row r advance row r's counter only. Copies go on
// independently from the same place. Not thread-safe. Each draw costs one Philox block, about 10
// ns.
//
//   fdg::Stream noise = run.stream("noise");
//   float e = noise.normal(row);
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/Philox.h"

namespace fdg {

class Stream {
 public:
  Stream() = default;
  Stream(uint64_t seed, std::string_view name);

  /// 64 random bits.
  uint64_t bits(int64_t row = 0);
  /// Uniform in [0, 1), 53 bits.
  double uniform(int64_t row = 0);
  /// Uniform in [low, high).
  double uniform(int64_t row, double low, double high);
  /// Standard normal (Box-Muller, one block a draw).
  double normal(int64_t row = 0);
  /// Uniform integer in [0, n), unbiased up to 2^-64 · n. n ≥ 1.
  int64_t below(int64_t row, int64_t n);
  /// 0 … n-1 in random order (Fisher-Yates).
  std::vector<int64_t> permutation(int64_t row, int64_t n);
  void fillUniform(int64_t row, std::span<float> out, float low, float high);
  void fillNormal(int64_t row, std::span<float> out);

  template <class Archive>
  void archive(Archive& a) {
    a(key_, counters_);
  }

 private:
  PhiloxBlock next(int64_t row);

  uint64_t key_ = 0;
  std::vector<uint64_t> counters_;  // by row; grown when a row is first used
};

}  // namespace fdg
