// A value goes to and fro between two components that do next to nothing: what a boundary costs.
#include <fdg/fdg.h>

struct Config {
  int64_t steps = 1'000'000;  ///< Iterations; two boundaries each.
};

class Adder {
 public:
  int64_t add(int64_t value) { return value + ++count_; }

 private:
  int64_t count_ = 0;
};

void relay(fdg::Run& run, const Config& cfg) {
  Adder left;
  Adder right;
  int64_t value = 0;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    int64_t there = left.add(value);
    fdg::partition(fdg::broadcast, there);  // left -> right
    value = right.add(there);
    fdg::partition(fdg::broadcast, value);  // right -> left
  }
  run.log("value", static_cast<double>(value));
}
FDG_PROGRAM(relay)
