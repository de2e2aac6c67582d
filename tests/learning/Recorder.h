// Recorder: a sequential run in memory: what a program logs and saves, for tests that look at it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fdg/fdg.h"
#include "fdg/rl.h"

namespace fdg::test {

class Recorder final : public RunBackend {
 public:
  explicit Recorder(uint64_t seed) : seed_(seed) {}

  void log(std::string_view key, double value, double weight) override {
    if (weight != 0) {
      points[std::string(key)].push_back(value);
    }
  }
  void save(std::string_view name, const NamedTensors& tensors) override {
    saved[std::string(name)] = tensors;
  }
  uint64_t seed() const override { return seed_; }

  /// Mean of the last n points of a key.
  double lastMean(const std::string& key, size_t n) const {
    const auto& values = points.at(key);
    const size_t count = std::min(n, values.size());
    double sum = 0;
    for (size_t i = values.size() - count; i < values.size(); ++i) {
      sum += values[i];
    }
    return sum / static_cast<double>(count);
  }

  std::map<std::string, std::vector<double>> points;
  std::map<std::string, NamedTensors> saved;

 private:
  uint64_t seed_;
};

/// The saved model as weights again: what run.save wrote is all that is needed to play.
inline rl::Weights weightsOf(const NamedTensors& model, const rl::NetworkLayout& layout) {
  std::vector<torch::Tensor> flat;
  for (const auto& [name, t] : model) {
    if (name == "network") {
      continue;
    }
    flat.push_back(t.dim() == 2 ? t.t().reshape(-1) : t.reshape(-1));
  }
  return {torch::cat(flat), layout.text()};
}

/// Mean return of 100 greedy episodes.
inline double play(const std::string& env, const rl::Weights& weights) {
  return rl::Evaluator(env, 100, Stream(12345, "test")).run(weights);
}

}  // namespace fdg::test
