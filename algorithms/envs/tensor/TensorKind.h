// TensorKind: an environment whose rows step all at once by operations on tensors, on any device.
//
// The state of all worlds is one float64 tensor [numbers, worlds], a number of all worlds side by
// side, so that every operation runs over contiguous numbers and a row's bits do not depend on how
// many rows there are. A start is drawn by the native environment of the same rules, whose
// `archive` gives the numbers.
#pragma once

#include <functional>
#include <memory>

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

struct TensorStep {
  torch::Tensor state;       ///< [numbers, worlds] float64
  torch::Tensor reward;      ///< [rows] float64
  torch::Tensor terminated;  ///< [rows] bool
};

/// The rules, with what they need on a device. Without side effects.
class TensorRules {
 public:
  virtual ~TensorRules() = default;
  /// `action` is [rows] int64, or [rows, dimensions] float32.
  virtual TensorStep step(const torch::Tensor& state, const torch::Tensor& action) const = 0;
  /// [rows, …] float32
  virtual torch::Tensor observe(const torch::Tensor& state) const = 0;
};

struct TensorKind {
  int64_t numbers = 0;  ///< Of a world's state.
  std::function<void(Draw& draw, std::span<double> state)> start;
  std::function<std::unique_ptr<TensorRules>(torch::Device device)> rules;
};

namespace detail {

/// What an environment's archive writes numbers into.
struct NumberWriter {
  std::span<double> left;

  template <class... T>
  void operator()(const T&... fields) {
    ((left.front() = static_cast<double>(fields), left = left.subspan(1)), ...);
  }
};

}  // namespace detail

/// The kind "tensor:NAME" that steps by `Rules` from starts of the native environment E.
template <class E, class Rules>
FDG_PURE EnvKind tensorKind(int64_t numbers) {
  EnvSpec spec = E::spec();
  spec.name = "tensor:" + spec.name;
  const auto start = [](Draw& draw, std::span<double> state) {
    E native;
    native.reset(draw);
    detail::NumberWriter writer{state};
    native.archive(writer);
  };
  const auto rules = [](torch::Device device) { return std::make_unique<Rules>(device); };
  return {spec, {}, std::make_shared<const TensorKind>(TensorKind{numbers, start, rules})};
}

EnvKind tensorCartPole();
EnvKind tensorPendulum();
EnvKind tensorTag();

}  // namespace fdg::rl
