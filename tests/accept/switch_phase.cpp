// A switch over a free value, and one over an outcome that another fragment owns; no fall-through.
#include "parts.h"

enum class Phase { collect, learn, rest };

struct Config {
  int64_t steps = 30;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Buffer buffer;
  parts::Learner learner;
  int64_t rested = 0;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    switch (static_cast<Phase>(step % 3)) {
      case Phase::collect: {
        auto batch = buffer.sample(3);
        fdg::partition(fdg::broadcast, batch);
        learner.learn(batch);
        break;
      }
      case Phase::learn: {
        auto weights = learner.weights();
        fdg::partition(fdg::broadcast, weights);
        buffer.mark(weights.values);
        break;
      }
      default:
        ++rested;
        break;
    }
    switch (learner.loss() % 3) {
      case 0: {
        auto more = buffer.sample(2);
        fdg::partition(fdg::broadcast, more);
        learner.learn(more);
        break;
      }
      case 1:
        run.log("one", learner.loss());
        break;
      default: {
        auto priorities = learner.learn(torch::ones({2}, torch::kInt64));
        fdg::partition(fdg::gather, priorities);
        buffer.mark(priorities);
      }
    }
  }
  run.log("rested", rested);
  run.log("version", learner.version());
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment buffer: components buffer;
// CHECK-DAG: fragment learner: components learner;
