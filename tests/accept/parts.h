// Small components for the programs of this folder: whole numbers only, so that every order of adding gives
// the same bits. They follow the rules of components: fresh values out, copies of what they keep.
#pragma once

#include "fdg/fdg.h"

namespace parts {

struct Outcome {
  torch::Tensor observation;   ///< [rows] int64
  torch::Tensor reward;        ///< [rows] int64
  torch::Tensor done;          ///< [rows] bool
};

struct Experience {
  torch::Tensor observation;
  torch::Tensor action;
  torch::Tensor reward;
};

struct Weights {
  torch::Tensor values;        ///< [4] int64
  int64_t version = 0;
};

class FDG_ROLE("environment") Environment {
 public:
  Environment(fdg::Rows rows, int64_t seed = 1)
      : state_(torch::arange(rows.begin, rows.end, torch::kInt64) * 7 + seed) {}

  torch::Tensor reset() {
    state_ = state_ % 11;
    return state_.clone();
  }
  Outcome step(const torch::Tensor& action) {
    ++time_;
    state_ = (state_ * 5 + action * 3 + time_) % 101;
    return {state_.clone(), state_ % 7 - 3, state_ % 13 == 0};
  }
  int64_t time() const { return time_; }

  template <class A>
  void archive(A& a) {
    a(state_, time_);
  }

 private:
  torch::Tensor state_;
  int64_t time_ = 0;
};

class FDG_ROLE("actor") Actor {
 public:
  torch::Tensor act(const torch::Tensor& observation) const {
    return (observation * bias_.index({0}) + bias_.index({1})) % 17;
  }
  void load(FDG_LATEST const Weights& weights) {
    bias_ = weights.values.clone();
    version_ = weights.version;
  }
  int64_t version() const { return version_; }

  template <class A>
  void archive(A& a) {
    a(bias_, version_);
  }

 private:
  torch::Tensor bias_ = torch::tensor({2, 3, 5, 7}, torch::kInt64);
  int64_t version_ = 0;
};

class FDG_ROLE("buffer") Buffer {
 public:
  void add(const Experience& experience) {
    sum_ += (experience.observation + experience.action * 2 + experience.reward * 3).sum().item<int64_t>();
    rows_ += experience.reward.size(0);
  }
  void mark(const torch::Tensor& priorities) { sum_ += priorities.sum().item<int64_t>() % 5; }
  int64_t size() const { return rows_; }
  /// [n] numbers that depend on everything added so far.
  torch::Tensor sample(int64_t n) {
    ++draws_;
    return (torch::arange(n, torch::kInt64) * draws_ + sum_) % 97;
  }

  template <class A>
  void archive(A& a) {
    a(sum_, rows_, draws_);
  }

 private:
  int64_t sum_ = 0;
  int64_t rows_ = 0;
  int64_t draws_ = 0;
};

class FDG_ROLE("learner") Learner {
 public:
  Weights weights() const { return {values_.clone(), version_}; }
  torch::Tensor learn(const torch::Tensor& batch) {
    ++version_;
    loss_ = batch.sum().item<int64_t>() % 1009;
    values_ = (values_ + loss_ + torch::arange(4, torch::kInt64)) % 31 + 1;
    return (batch + loss_) % 19;
  }
  int64_t loss() const { return loss_; }
  int64_t version() const { return version_; }

  template <class A>
  void archive(A& a) {
    a(values_, version_, loss_);
  }

 private:
  torch::Tensor values_ = torch::tensor({2, 3, 5, 7}, torch::kInt64);
  int64_t version_ = 0;
  int64_t loss_ = 0;
};

class FDG_ROLE("source") Source {
 public:
  int64_t next() { return state_ = (state_ * 13 + 7) % 101; }

  template <class A>
  void archive(A& a) {
    a(state_);
  }

 private:
  int64_t state_ = 5;
};

class FDG_ROLE("sink") Sink {
 public:
  int64_t take(int64_t value) { return sum_ = (sum_ * 31 + value) % 100003; }
  int64_t sum() const { return sum_; }

  template <class A>
  void archive(A& a) {
    a(sum_);
  }

 private:
  int64_t sum_ = 1;
};

}  // namespace parts
