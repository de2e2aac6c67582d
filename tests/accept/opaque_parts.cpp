// Statements that are copied whole: try/catch with a return, local lambdas that log, a local class,
// a conditional compilation in the middle of a statement, if constexpr, a statement over several lines.
#include <stdexcept>

#include "parts.h"

#define TWICE(x) \
  ((x) +         \
   (x))

struct Config {
  int64_t steps = 20;
  int64_t limit = 11;
};

constexpr bool kLogs = true;

void train(fdg::Run& run, const Config& cfg) {
  struct Scale {
    int64_t by = 3;
    torch::Tensor operator()(const torch::Tensor& t) const { return t * by; }
  };
  parts::Buffer buffer;
  parts::Learner learner;
  const auto note = [&run](int64_t value) {
    if (value < 0) {
      return;
    }
    run.log("note", value);
  };
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto batch = buffer.sample(
#if defined(NEVER_DEFINED)
        1
#else
        2  // two of them
#endif
    );
    fdg::partition(fdg::broadcast, batch);
    try {
      if (learner.version() > cfg.limit) {
        throw std::runtime_error("enough");
      }
      learner.learn(Scale{}(batch));
    } catch (const std::runtime_error&) {
      run.log("caught", step);
    }
    if constexpr (kLogs) {
      note(learner.loss());
      run.log("twice", TWICE(learner.loss()));
    }
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: boundary batch: broadcast buffer -> learner
