// A condition assigns a variable of the function, whose first value nothing reads.
#include "parts.h"

struct Config {
  int64_t steps = 12;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    int64_t seed = 0;
    while ((seed = source.next()) % 3 != 0) {
      sink.take(1);
    }
    fdg::partition(fdg::broadcast, seed);
    int64_t left = 7;
    int64_t last = 0;
    if ((left = seed % 5) > 2) {
      sink.take(left);
    }
    switch (last = seed % 3) {
      case 0:
        sink.take(4);
        break;
      default:
        sink.take(last);
    }
    do {
      sink.take(left);
    } while ((left = left - 1) > 0);
    run.log("sum", sink.sum() + last);
  }
}
FDG_PROGRAM(train)
