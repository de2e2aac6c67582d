// Nothing to split: the program is one fragment that has nothing to do.
#include "parts.h"

struct Config {
  int64_t steps = 3;
};

void train([[maybe_unused]] fdg::Run& run, const Config& cfg) {
  [[maybe_unused]] int64_t sum = 0;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    sum += step;
  }
}
FDG_PROGRAM(train)

// CHECK: fragment program:
