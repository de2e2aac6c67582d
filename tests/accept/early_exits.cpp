// Returns at the top and out of nested loops, loops without an iteration, breaks out of nested ifs, else-if
// chains with a boundary in every branch.
#include "parts.h"

struct Config {
  int64_t steps = 12;
  int64_t none = 0;
  bool off = false;
};

void train(fdg::Run& run, const Config& cfg) {
  if (cfg.off) {
    return;
  }
  parts::Buffer buffer;
  parts::Learner learner;
  for (int64_t i = 0; i < cfg.none; ++i) {
    learner.learn(torch::ones({1}, torch::kInt64));
  }
  int64_t round = 0;
  while (true) {
    for (int64_t i = 0; i < round % 3; ++i) {
      auto drawn = buffer.sample(i);
      fdg::partition(fdg::broadcast, drawn);
      learner.learn(drawn);
    }
    ++round;
    if (round > 2) {
      if (learner.version() > 3) {
        run.log("enough", learner.version());
        break;
      } else if (round > 40) {
        break;
      }
      auto marks = learner.learn(torch::ones({2}, torch::kInt64));
      fdg::partition(fdg::broadcast, marks);
      buffer.mark(marks);
    }
  }
  for (;;) {
    auto batch = buffer.sample(2);
    if (round % 4 == 0) {
      fdg::partition(fdg::broadcast, batch);
      learner.learn(batch);
    } else if (round % 4 == 1) {
      auto size = buffer.size() + round;
      fdg::partition(fdg::broadcast, size);
      learner.learn(torch::full({1}, size, torch::kInt64));
    } else if (round % 4 == 2) {
      auto loss = learner.loss();
      fdg::partition(fdg::broadcast, loss);
      buffer.mark(torch::full({2}, loss, torch::kInt64));
    } else {
      ++round;
      continue;
    }
    int64_t inner = 0;
    do {
      if (++inner == 2) {
        continue;
      }
      auto drawn = buffer.sample(inner);
      fdg::partition(fdg::scatter, drawn);
      if (drawn.sum().item<int64_t>() % 5 == 4 && round > 12) {
        run.log("left", round);
        return;
      }
      learner.learn(drawn);
    } while (inner < 3);
    if (++round > cfg.steps + 20) {
      break;
    }
  }
  run.log("round", round + learner.loss());
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment buffer: components buffer;
// CHECK-DAG: fragment learner: components learner;
// CHECK-DAG: choice {{.*}}: learner -> buffer
