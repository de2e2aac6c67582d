// Ape-X's shape with small parts, any of which fails in its N-th call: by an exception, or by a value that is not
// a number; or when it is told to, by sending far more. What the faults' tests run.
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "fdg/fdg.h"

struct Config {
  int64_t envs = 4;
  int64_t steps = 1000;
  std::string fail_in = "";      ///< A role; adding: the buffer, in what it is given.
  std::string fail_how = "throw";///< throw, nan, wide, or a way of `crash`
  int64_t fail_at = 50;
  std::string fail_once = "";    ///< A file that says that it has happened; empty: again and again. Of wide: that it shall.
  int64_t pause_us = 200;        ///< Of the learner, each iteration.
};

/// A recursion without end.
inline int64_t deeper(int64_t depth) {
  volatile char room[4096] = {};
  room[depth % 4096] = 1;
  return depth < 0 ? 0 : deeper(depth + 1) + room[0];
}

/// Ends the process, where `how` is a way of doing so.
inline void crash(const std::string& how) {
  volatile int64_t zero = 0;
  if (how == "null") {
    *reinterpret_cast<volatile int*>(zero) = 1;
  } else if (how == "recursion") {
    zero = deeper(zero);
  } else if (how == "division") {
    zero = 7 / zero;
  } else if (how == "abort") {
    std::abort();
  } else if (how == "bus") {
    std::raise(SIGBUS);
  } else if (how == "exit") {
    std::exit(0);
  } else if (how == "quick_exit") {
    std::quick_exit(0);
  } else if (how == "_Exit") {
    std::_Exit(0);
  } else if (how == "_Exit 3") {
    std::_Exit(3);
  } else if (how == "thread exits") {
    std::thread([] { std::_Exit(0); }).join();
  }
}

/// Counts calls; the one that was asked for fails.
class Trouble {
 public:
  Trouble(const Config& cfg, const std::string& role)
      : at_(cfg.fail_in == role ? cfg.fail_at : -1), how_(cfg.fail_how), once_(cfg.fail_once), role_(role) {}

  /// `value`, or another one that is not a number.
  float pass(float value) {
    if (++calls_ != at_ || how_ == "wide" || !isFirst()) {
      return value;
    }
    crash(how_);
    if (how_ != "nan") {
      throw std::runtime_error("the " + role_ + " is out of order");
    }
    return std::nanf("");
  }
  /// `value`; once the file of `fail_once` is there, with 1 MB more of zeros in each row.
  torch::Tensor widen(const torch::Tensor& value) const {
    const bool is_due = how_ == "wide" && at_ >= 0 && std::filesystem::exists(once_);
    return is_due ? torch::constant_pad_nd(value, {0, 250000}) : value;
  }

  template <class A>
  void archive(A& a) {
    a(calls_);
  }

 private:
  bool isFirst() const {
    if (once_.empty()) {
      return true;
    }
    std::FILE* file = std::fopen(once_.c_str(), "wx");
    if (file != nullptr) {
      std::fclose(file);
    }
    return file != nullptr;
  }

  int64_t at_;
  std::string how_;
  std::string once_;
  std::string role_;
  int64_t calls_ = 0;
};

struct Steps {
  torch::Tensor observation;  ///< [rows, 3]
  torch::Tensor reward;       ///< [rows]
};

class FDG_ROLE("environment") World {
 public:
  World(fdg::Rows rows, const Config& cfg)
      : state_(torch::arange(rows.begin, rows.end, torch::kFloat).unsqueeze(1).repeat({1, 3})),
        trouble_(cfg, "environment") {}

  torch::Tensor observe() const { return state_.clone(); }
  Steps step(const torch::Tensor& action) {
    state_ = torch::remainder(state_ * 1.5F + action.unsqueeze(1), 7) * trouble_.pass(1);
    return {trouble_.widen(state_.clone()), state_.sum(1)};
  }

  template <class A>
  void archive(A& a) {
    a(state_, trouble_);
  }

 private:
  torch::Tensor state_;
  Trouble trouble_;
};

class FDG_ROLE("actor") Mind {
 public:
  explicit Mind(const Config& cfg) : trouble_(cfg, "actor") {}

  void load(FDG_LATEST const torch::Tensor& weights) { weights_ = weights.clone(); }
  torch::Tensor act(const torch::Tensor& observation) {
    return observation.matmul(weights_.slice(0, 0, 3)) * trouble_.pass(1);
  }

  template <class A>
  void archive(A& a) {
    a(weights_, trouble_);
  }

 private:
  torch::Tensor weights_ = torch::zeros({3});
  Trouble trouble_;
};

class FDG_ROLE("buffer") Store {
 public:
  static constexpr bool thread_safe = true;

  explicit Store(const Config& cfg) : trouble_(cfg, "buffer"), adding_(cfg, "adding") {}

  void add(const Steps& steps) {
    const std::lock_guard hold(lock_);
    sum_ += steps.reward.sum().item<double>() * adding_.pass(1);
    rows_ += steps.reward.size(0);
  }
  /// [8]; not numbers once a reward was none.
  torch::Tensor sample() {
    const std::lock_guard hold(lock_);
    const auto factor = static_cast<float>(static_cast<double>(rows_ % 5) + 0 * sum_);
    return trouble_.widen(torch::arange(8, torch::kFloat) * factor * trouble_.pass(1));
  }

  template <class A>
  void archive(A& a) {
    a(sum_, rows_, trouble_, adding_);
  }

 private:
  std::mutex lock_;
  double sum_ = 0;
  int64_t rows_ = 0;
  Trouble trouble_, adding_;
};

class FDG_ROLE("learner") Student {
 public:
  /// Of several, the last fails.
  Student(fdg::Rows rows, const Config& cfg)
      : trouble_(cfg, rows.end == rows.total ? "learner" : "other learner") {}

  torch::Tensor weights() const { return trouble_.widen(weights_.clone()); }
  torch::Tensor gradients(const torch::Tensor& batch) {
    return batch.slice(0, 0, 3) * trouble_.pass(0.01F);
  }
  void apply(const torch::Tensor& gradients) { weights_ = weights_ - gradients; }

  template <class A>
  void archive(A& a) {
    a(weights_, trouble_);
  }

 private:
  torch::Tensor weights_ = torch::zeros({3});
  Trouble trouble_;
};

class FDG_ROLE("evaluator") Judge {
 public:
  explicit Judge(const Config& cfg) : trouble_(cfg, "evaluator") {}

  double judge(FDG_LATEST const torch::Tensor& weights) {
    return weights.sum().item<double>() * static_cast<double>(trouble_.pass(1));
  }

  template <class A>
  void archive(A& a) {
    a(trouble_);
  }

 private:
  Trouble trouble_;
};

void faulty(fdg::Run& run, const Config& cfg) {
  World world(run.rows(cfg.envs), cfg);
  Mind actor(cfg);
  Store buffer(cfg);
  Student learner(run.rows(2), cfg);
  Judge evaluator(cfg);
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto weights = learner.weights();
    fdg::partition(fdg::broadcast.loose(), weights);
    actor.load(weights);
    auto score = evaluator.judge(weights);
    run.log("score", score);
    auto obs = world.observe();
    fdg::partition(fdg::gather, obs);
    auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);
    auto experience = world.step(action);
    fdg::partition(fdg::append.loose(), experience);
    buffer.add(experience);
    auto batch = buffer.sample();
    fdg::partition(fdg::broadcast, batch);
    auto grads = learner.gradients(batch);
    fdg::partition(fdg::reduce_mean, grads);
    learner.apply(grads);
    run.log("weight", learner.weights().sum().item<double>());
    if (cfg.pause_us > 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(cfg.pause_us));
    }
  }
  auto last = learner.weights();
  run.save("model", last);
}
FDG_PROGRAM(faulty)
