// A configuration with two bases that have fields of one name, and a component whose bases do.
#include "parts.h"

struct Lengths {
  int64_t steps = 12;
  int64_t n = 2;
};
struct Widths {
  int64_t rows = 3;
  int64_t n = 5;
};
struct Config : Lengths, Widths {
  int64_t scale = 2;
};

struct Counted {
  int64_t count = 0;
};
struct Summed {
  int64_t count = 10;
  int64_t sum = 0;
};
class FDG_ROLE("sink") Tally : public Counted, public Summed {
 public:
  void take(int64_t value) {
    ++Counted::count;
    Summed::count += 2;
    sum = (sum * 31 + value) % 100003;
  }
  int64_t total() const { return sum * 7 + Counted::count + Summed::count; }
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(cfg.rows), cfg.Lengths::n);
  Tally tally;
  auto obs = env.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    obs = env.step(obs * cfg.scale).observation;
    auto seen = obs.sum().item<int64_t>() + cfg.Widths::n;
    fdg::partition(fdg::broadcast, seen);
    tally.take(seen);
    run.log("total", tally.total() + tally.Counted::count + static_cast<const Summed&>(tally).count);
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment environment: components env;
// CHECK-DAG: fragment sink: components tally;
