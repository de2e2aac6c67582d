// One value for two fragments, the first of which falls behind: the second has it, and has moved it away, before the
// first has room.
// POLICY: narrow.yaml
#include "parts.h"

struct Config {
  int64_t steps = 6;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink slow;
  parts::Learner quick;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto loss = quick.loss();
    fdg::partition(fdg::broadcast, loss);
    slow.take(loss);
    auto batch = torch::full({4}, source.next(), torch::kInt64);
    fdg::partition(fdg::append, batch);
    slow.take(batch.sum().item<int64_t>());
    quick.learn(batch);
  }
  run.log("slow", slow.sum());
  run.log("quick", quick.loss());
}
FDG_PROGRAM(train)
