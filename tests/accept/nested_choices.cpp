// Conditions inside conditions of other fragments, range-for over what was received and over what another
// fragment made, a switch on a received enum, jumps out of them, three fragments.
#include <map>

#include "parts.h"

struct Config {
  int64_t steps = 9;
};

enum class Phase { explore, learn, rest };

class FDG_ROLE("leader") Leader {
 public:
  Phase phase() { return static_cast<Phase>(++time_ % 3); }
  std::vector<int64_t> tasks() const {
    std::vector<int64_t> all;
    for (int64_t i = 0; i < time_ % 4; ++i) {
      all.push_back(i * time_);
    }
    return all;
  }
  bool urgent() const { return time_ % 2 == 0; }
  void report(int64_t value) { time_ += value % 2; }

 private:
  int64_t time_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  Leader leader;
  parts::Buffer buffer;
  parts::Learner learner;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto phase = leader.phase();
    fdg::partition(fdg::broadcast, phase);
    switch (phase) {
      case Phase::explore: {
        auto tasks = leader.tasks();
        fdg::partition(fdg::broadcast, tasks);
        for (const auto& task : tasks) {
          if (task % 3 == 2) {
            continue;
          }
          auto drawn = buffer.sample(task % 2 + 1);
          fdg::partition(fdg::broadcast, drawn);
          learner.learn(drawn);
        }
        break;
      }
      case Phase::learn:
        for (const int64_t task : leader.tasks()) {
          if (leader.urgent()) {
            if (learner.version() % 3 == 0) {
              auto marks = learner.learn(torch::ones({1}, torch::kInt64));
              fdg::partition(fdg::broadcast, marks);
              buffer.mark(marks);
            } else {
              break;
            }
          }
          leader.report(task);
        }
        break;
      default:
        if (leader.urgent()) {
          run.log("rest", step);
          continue;
        }
        learner.learn(torch::full({1}, step, torch::kInt64));
    }
    std::map<std::string, int64_t> sizes = {{"buffer", buffer.size()}, {"step", step}};
    fdg::partition(fdg::broadcast, sizes);
    for (const auto& [name, size] : sizes) {
      learner.learn(torch::full({1}, size + static_cast<int64_t>(name.size()), torch::kInt64));
    }
    run.log("loss", learner.loss());
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment leader
// CHECK-DAG: fragment learner: components learner;
