// Names that are used again in other scopes, and names that generated code might have wanted.
#include "parts.h"

struct Config {
  int64_t steps = 12;
  int64_t loop = 3;
};

namespace ports {
inline int64_t shift(int64_t x) { return x + 1; }
}  // namespace ports

void train(fdg::Run& context, const Config& options) {
  parts::Buffer tape;
  parts::Learner task;
  int64_t run = 0;
  int64_t cfg = options.loop;
  for (int64_t loop = 0; loop < options.steps; ++loop) {
    if (loop % 2 == 0) {
      auto batch = tape.sample(2);
      fdg::partition(fdg::broadcast, batch);
      task.learn(batch);
    } else {
      auto batch = task.learn(torch::ones({3}, torch::kInt64));
      fdg::partition(fdg::broadcast, batch);
      tape.mark(batch);
      {
        auto batch = tape.sample(1);
        fdg::partition(fdg::broadcast, batch);
        task.learn(batch + cfg);
      }
    }
    run = ports::shift(run);
  }
  context.log("run", run);
  context.log("loss", task.loss());
}
FDG_PROGRAM(train)

// CHECK-DAG: boundary batch: broadcast buffer -> learner
// CHECK-DAG: boundary batch2: broadcast learner -> buffer
// CHECK-DAG: boundary batch3: broadcast buffer -> learner
