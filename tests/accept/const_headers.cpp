// Constant variables that a reduction replaces: declared in front of a condition, by an alias or a macro, or bound to
// the constant key of a map.
#include "parts.h"

#define FIXED const
#define COUNTED(name, value) const int64_t name = value

struct Config {
  int64_t steps = 4;
};

torch::Tensor two(int64_t value) { return torch::full({2}, value, torch::kInt64); }

void train(fdg::Run& run, const Config& cfg) {
  parts::Buffer buffer;
  parts::Learner learner;
  using Fixed = const int64_t;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    learner.learn(two(step));
    if (const auto size = learner.loss() + step; size % 4 != 0) {
      fdg::partition(fdg::reduce_sum, size);
      learner.learn(two(size));
      buffer.mark(two(size));
    }
    switch (const int64_t loss = learner.loss(); cfg.steps % 3) {
      case 1: {
        fdg::partition(fdg::reduce_max, loss);
        buffer.mark(two(loss));
        learner.learn(two(loss));
        break;
      }
    }
    for (int64_t const first = learner.loss() + 1; const auto more : {1, 2}) {
      fdg::partition(fdg::reduce_sum, first);
      learner.learn(two(first + more));
      buffer.mark(two(first));
    }
    Fixed marked = learner.loss() * 2;
    fdg::partition(fdg::reduce_sum, marked);
    FIXED auto drawn = learner.loss() + 1;
    fdg::partition(fdg::reduce_sum, drawn);
    COUNTED(counted, learner.loss() + 2);
    fdg::partition(fdg::reduce_sum, counted);
    learner.learn(two(marked + drawn + counted));
    buffer.mark(two(marked + drawn + counted));
    for (const auto [key, weight] : std::map<int64_t, int64_t>{{learner.loss(), step}, {1, 7}}) {
      fdg::partition(fdg::reduce_max, key, weight);
      learner.learn(two(key * weight));
      buffer.mark(two(key + weight));
    }
    if (Fixed rest = learner.loss() % 3) {
      fdg::partition(fdg::reduce_sum, rest);
      buffer.mark(two(rest));
      run.log("rest", learner.loss() + rest);
    }
  }
  run.log("version", learner.version());
  run.log("sample", buffer.sample(2).sum());
}
FDG_PROGRAM(train)
