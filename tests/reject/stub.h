// A library for the tests of splitting: the names that fdgc knows, without torch, so that a test takes
// milliseconds. Declarations only; nothing here is ever linked.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fdg/marks.h"
#include "fdg/operations.h"

namespace at {

template <class T, size_t N>
class TensorAccessor {
 public:
  T& operator[](int64_t i);
};

class TensorBase {
 public:
  int64_t size(int64_t dimension) const;
  template <class T>
  T* data_ptr() const;
  template <class T, size_t N>
  TensorAccessor<T, N> accessor() const&;
  void reset();
};

class Tensor : public TensorBase {
 public:
  Tensor();
  Tensor(const Tensor&);
  Tensor& operator=(const Tensor&) &;
  Tensor& operator=(const Tensor&) &&;
  Tensor operator[](int64_t i) const;
  Tensor& operator+=(const Tensor&);
  Tensor& add_(const Tensor&) const;
  Tensor& fill_(double) const;
  Tensor& uniform_() const;
  Tensor clone() const;
  Tensor view(std::vector<int64_t> shape) const;
  Tensor mean() const;
  Tensor any() const;
  bool is_nonzero() const;
  template <class T>
  T item() const;
};
Tensor operator+(const Tensor&, const Tensor&);
Tensor operator*(const Tensor&, double);
Tensor operator-(const Tensor&, const Tensor&);
Tensor zeros(std::vector<int64_t> shape);
Tensor stack(const std::vector<Tensor>& parts);
Tensor randn(std::vector<int64_t> shape);
Tensor from_blob(void* memory, std::vector<int64_t> shape);

}  // namespace at

namespace torch {
using at::from_blob;
using at::randn;
using at::stack;
using at::Tensor;
using at::zeros;
struct NoGradGuard {
  NoGradGuard();
  ~NoGradGuard();
};
}  // namespace torch

namespace fdg {

struct Rows {
  int64_t begin = 0, end = 0, total = 0;
  int64_t size() const { return end - begin; }
};

class Stream {
 public:
  Stream();
  double uniform(int64_t row = 0);
};

class Run {
 public:
  Rows rows(int64_t n, int64_t block = 1) const;
  Stream stream(std::string_view name);
  template <class T>
  void log(std::string_view key, const T& value);
  template <class T>
  void save(std::string_view name, const T& value);
  uint64_t seed() const;
};

}  // namespace fdg

#define FDG_PROGRAM(function) static_assert(true);

namespace rl {

struct Spec {
  int64_t observations = 4, actions = 2;
};
FDG_PURE Spec envSpec(const std::string& name);

struct Outcome {
  torch::Tensor observation, reward, done;
};
struct Experience {
  torch::Tensor observation, action, reward;
};
struct Batch {
  torch::Tensor observation, reward;
  torch::Tensor index;
};
struct Weights {
  std::vector<torch::Tensor> tensors;
};
struct Grads {
  std::vector<torch::Tensor> tensors;
};
struct Priorities {
  torch::Tensor index, value;
};

class FDG_ROLE("environment") VectorEnv {
 public:
  VectorEnv(const std::string& name, fdg::Rows rows, fdg::Stream stream);
  torch::Tensor reset();
  Outcome step(const torch::Tensor& action);
  double finishedReturns() const;
};

class FDG_ROLE("actor") Actor {
 public:
  Actor(const Spec& spec, fdg::Rows rows, fdg::Stream stream);
  torch::Tensor act(const torch::Tensor& observation, int64_t step = 0);
  torch::Tensor values() const;
  void load(FDG_LATEST const Weights& weights);
};

class FDG_ROLE("actor") NStep {
 public:
  explicit NStep(int64_t n);
  Experience push(const torch::Tensor& observation, const torch::Tensor& action, const Outcome& outcome,
                  const torch::Tensor& values);
};

class FDG_ROLE("buffer") FDG_APPROXIMATE("samples from its own share") Replay {
 public:
  Replay(const Spec& spec, fdg::Stream stream);
  void add(const Experience& experience);
  Batch sample(fdg::Rows rows);
  void update(const Priorities& priorities);
  int64_t size() const;
};

class FDG_ROLE("learner") Learner {
 public:
  Learner(const Spec& spec, fdg::Stream stream);
  Weights weights() const;
  Grads gradients(const Batch& batch) const;
  Priorities apply(const Grads& grads, const Batch& batch);
  double loss() const;
};

class FDG_ROLE("evaluator") Evaluator {
 public:
  Evaluator(const std::string& name, int64_t episodes, fdg::Stream stream);
  double run(FDG_LATEST const Weights& weights);
};

}  // namespace rl
