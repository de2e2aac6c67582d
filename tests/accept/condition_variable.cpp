// Conditions that declare variables, initialisers in if, while and switch.
#include "parts.h"

#include <optional>

struct Config {
  int64_t steps = 12;
};

class FDG_ROLE("queue") Queue {
 public:
  std::optional<int64_t> pop() {
    ++time_;
    return time_ % 5 == 0 ? std::nullopt : std::optional<int64_t>(time_ * 3 % 7);
  }
  void push(const torch::Tensor& t) { time_ += t.sum().item<int64_t>() % 2; }
  int64_t time() const { return time_; }

 private:
  int64_t time_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  Queue queue;
  parts::Learner learner;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    if (auto item = queue.pop()) {
      auto batch = torch::full({2}, *item, torch::kInt64);
      fdg::partition(fdg::broadcast, batch);
      learner.learn(batch);
    }
    if (const int64_t time = queue.time(); time % 2 == 0) {
      auto number = queue.time() + time;
      fdg::partition(fdg::broadcast, number);
      run.log("number", number + learner.loss());
    }
    while (auto item = queue.pop()) {
      auto batch = torch::full({2}, *item, torch::kInt64);
      fdg::partition(fdg::broadcast, batch);
      auto priorities = learner.learn(batch);
      run.log("loss", learner.loss());
      fdg::partition(fdg::gather, priorities);
      queue.push(priorities);
    }
    switch (const int64_t kind = queue.time() % 3; kind) {
      case 0: {
        auto count = queue.time() + kind;
        fdg::partition(fdg::broadcast, count);
        learner.learn(torch::full({1}, count, torch::kInt64));
        break;
      }
      default:
        break;
    }
  }
  run.log("version", learner.version());
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment queue: components queue;
