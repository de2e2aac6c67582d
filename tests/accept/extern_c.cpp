// A training function with C linkage, between others that have it, and one that another function calls.
#include "parts.h"

struct Config {
  int64_t steps = 10;
};

extern "C" {
int64_t mixed(int64_t a, int64_t b) { return (a * 3 + b) % 97; }
}

extern "C" void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    int64_t value = mixed(source.next(), step);
    fdg::partition(fdg::broadcast, value);
    run.log("sum", sink.take(mixed(value, 2)));
  }
}

extern "C" void other(fdg::Run& run, const Config& cfg) { train(run, cfg); }
FDG_PROGRAM(train)

// CHECK-DAG: fragment source: components source;
// CHECK-DAG: fragment sink: components sink;
