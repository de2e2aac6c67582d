// Components, values and helpers for random programs: whole numbers only, and as little code as possible, since
// it is compiled with every batch. They follow the rules of components: fresh values out, copies of what they
// keep.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fdg/fdg.h"

namespace parts {

enum class Mood { calm, busy };

struct Pair {
  torch::Tensor first;
  torch::Tensor second;
};

struct Note {
  int64_t number = 0;
  std::vector<int64_t> list;
};

struct Load {
  torch::Tensor values;
  int64_t version = 0;
};

using Map = std::map<int64_t, int64_t>;
using Maybe = std::optional<int64_t>;
using Two = std::pair<int64_t, int64_t>;

/// A state that everything given to it goes into and everything taken from it depends on.
class Cell {
 public:
  explicit Cell(int64_t seed) : state_(seed) {}
  Cell(fdg::Rows rows, int64_t seed) : state_(seed + rows.size()) {}

  int64_t peek() const { return state_; }
  int64_t next() { return step(7); }
  bool coin() { return step(3) % 2 == 0; }
  Mood mood() { return step(5) % 2 == 0 ? Mood::calm : Mood::busy; }
  torch::Tensor tensor() {
    step(11);
    return torch::arange(4, torch::kInt64) * (state_ % 13) + state_ % 17;
  }
  Pair pair() { return {tensor(), tensor()}; }
  Load load() { return {tensor(), step(2)}; }
  Note note() { return {step(4), list()}; }
  std::vector<int64_t> list() {
    step(6);
    return std::vector<int64_t>(static_cast<size_t>(state_ % 4), state_);
  }
  std::vector<torch::Tensor> tensors() { return {tensor(), tensor()}; }
  std::string text() { return std::string(static_cast<size_t>(step(8) % 5), 'a'); }
  Maybe maybe() { return coin() ? Maybe(state_) : std::nullopt; }
  Map map() { return {{step(9) % 5, state_}, {7, 1}}; }
  Two two() { return {step(12), state_ % 10}; }

  void take(int64_t value) { step(value); }
  void take(int value) { step(value); }
  void take(bool value) { step(value ? 1 : 2); }
  void take(Mood value) { step(static_cast<int64_t>(value)); }
  void take(const torch::Tensor& value) {
    step((value * torch::arange(1, 1 + value.numel(), torch::kInt64)).sum().item<int64_t>());
  }
  void take(const Pair& value) {
    take(value.first);
    take(value.second);
  }
  void take(FDG_LATEST const Load& value) {
    take(value.values);
    step(value.version);
  }
  void take(const Note& value) {
    step(value.number);
    take(value.list);
  }
  void take(const std::vector<int64_t>& value) {
    for (const int64_t number : value) {
      step(number);
    }
  }
  void take(const std::vector<torch::Tensor>& value) {
    for (const torch::Tensor& tensor : value) {
      take(tensor);
    }
  }
  void take(const std::string& value) { step(static_cast<int64_t>(value.size())); }
  void take(const Maybe& value) { step(value.value_or(-1)); }
  void take(const Map& value) {
    for (const auto& [key, number] : value) {
      step(key * 3 + number);
    }
  }
  void take(const Two& value) { step(value.first - 2 * value.second); }

  /// What it was given comes back changed.
  int64_t answer(int64_t value) { return step(value); }
  torch::Tensor answer(const torch::Tensor& value) {
    take(value);
    return (value * 3 + state_ % 23) % 101;
  }
  void bump(int64_t& value) { value = (value + step(1)) % 1009; }
  void fill(torch::Tensor& value) { value = tensor(); }

 private:
  int64_t step(int64_t value) { return state_ = ((state_ * 31 + value) % 10007 + 10007) % 10007; }

  int64_t state_;
};

class FDG_ROLE("environment") Environment : public Cell {
 public:
  using Cell::Cell;
};
class FDG_ROLE("actor") Actor : public Cell {
 public:
  using Cell::Cell;
};
class FDG_ROLE("buffer") Buffer : public Cell {
 public:
  using Cell::Cell;
};
class FDG_ROLE("learner") Learner : public Cell {
 public:
  using Cell::Cell;
};
class FDG_ROLE("evaluator") Evaluator : public Cell {
 public:
  using Cell::Cell;
};

}  // namespace parts
