// return from inside the loop, decided by the learner; nothing after the loop runs then.
#include "parts.h"

struct Config {
  int64_t steps = 100;
  int64_t enough = 17;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Buffer buffer;
  parts::Learner learner;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto batch = buffer.sample(3);
    fdg::partition(fdg::broadcast, batch);
    auto priorities = learner.learn(batch);
    if (learner.version() > cfg.enough) {
      run.save("model", learner.weights());
      return;
    }
    fdg::partition(fdg::gather, priorities);
    buffer.mark(priorities);
  }
  run.log("never", buffer.size());
}
FDG_PROGRAM(train)

// CHECK: choice {{.*}}: learner -> buffer
