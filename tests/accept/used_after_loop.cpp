// A value that one fragment sets, another updates, and that is used after the loop.
#include "parts.h"

struct Config {
  int64_t steps = 10;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Buffer buffer;
  parts::Learner learner;
  torch::Tensor batch = buffer.sample(3);
  fdg::partition(fdg::broadcast, batch);
  for (int64_t step = 0; step < cfg.steps; ++step) {
    batch = learner.learn(batch);
    run.log("sum", batch.sum().item<int64_t>());
  }
  fdg::partition(fdg::gather, batch);
  buffer.mark(batch);
  auto last = buffer.sample(2);
  run.save("last", last);
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment buffer: components buffer;
// CHECK-DAG: fragment learner: components learner;
