// Run: what a training function knows about the run it is part of.
//
// The same program sees all rows in a sequential run and its replica's share in a distributed one;
// it cannot tell how it is placed. Not thread-safe: one Run per fragment.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/Rows.h"
#include "fdg/operations.h"
#include "fdg/stream.h"

namespace fdg {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

/// Where a Run's requests go: the sequential main, or the runtime. Programs do not use it.
class RunBackend {
 public:
  virtual ~RunBackend() = default;
  virtual ReplicaRange replicas() const { return {}; }
  /// Called with every row count a program asks for, and the block that is not cut.
  virtual void noteRows(Rows /*rows*/, int64_t /*block*/) {}
  virtual void log(std::string_view key, double value, double weight) = 0;
  virtual void save(std::string_view name, const NamedTensors& tensors) = 0;
  virtual torch::Device device() const { return torch::kCPU; }
  virtual uint64_t seed() const = 0;
};

/// Has names for its tensors: `namedTensors() const`. A map from text to tensors has its keys. Of
/// other values they are saved as "0", "1", ….
template <class T>
concept NamesItsTensors = requires(const T& v) {
  { v.namedTensors() } -> std::convertible_to<NamedTensors>;
};

class Run {
 public:
  explicit Run(RunBackend& backend) : backend_(&backend) {}

  /// The rows this replica owns out of n: 0 to n in a sequential run. A block (an environment's
  /// agents, a prompt's answers) is never cut. Throws UserError if n < 0 or block does not divide
  /// n.
  Rows rows(int64_t n, int64_t block = 1) const;

  /// The stream of that name. Each name is taken once; taking it again throws UserError.
  Stream stream(std::string_view name);

  /// Logs one number: an arithmetic value, a tensor with one element, or either with a weight.
  /// Shares that several replicas log at one place are averaged by weight; a weight of 0 logs
  /// nothing.
  template <class T>
  void log(std::string_view key, const T& value) {
    if constexpr (requires {
                    value.weight;
                    value.value;
                  }) {
      backend_->log(key, asNumber(value.value), value.weight);
    } else {
      backend_->log(key, asNumber(value), 1.0);
    }
  }

  /// Writes the tensors of a value to NAME.safetensors in the run's folder. Throws UserError for a
  /// name that no file or tensor there can have.
  template <class T>
  void save(std::string_view name, const T& value) {
    if constexpr (NamesItsTensors<T>) {
      backend_->save(name, value.namedTensors());
    } else {
      backend_->save(name, named(value));
    }
  }

  torch::Device device() const { return backend_->device(); }
  uint64_t seed() const { return backend_->seed(); }

 private:
  static double asNumber(const torch::Tensor& value);
  template <class T>
  requires std::is_arithmetic_v<T>
  static double asNumber(T value) { return static_cast<double>(value); }
  template <class T>
  static NamedTensors named(const T& value);  // defined in value.h, which knows every value type

  RunBackend* backend_;
  std::vector<std::string> streams_taken_;
};

}  // namespace fdg
