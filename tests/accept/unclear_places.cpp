// Writes whose place is not one name: a choice between two variables, std::tie, an array handed to an
// algorithm. What they may write counts as written, so no fragment drops them. A type of the function's own
// crosses too, and a broadcast whose parts have different lengths.
#include <algorithm>
#include <tuple>
#include <vector>

#include "parts.h"

struct Config {
  int64_t steps = 15;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  int64_t a = 0;
  int64_t b = 1;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    struct Point {
      int64_t x;
      int64_t y;
    };
    a = source.next();
    Point point{source.next(), i};
    std::vector<int64_t> ids = {source.next(), source.next()};
    torch::Tensor four = torch::arange(4) + source.next();
    fdg::partition(fdg::broadcast, a, point, ids, four);
    (i % 2 == 0 ? a : b) = 9;
    sink.take(a + b);
    std::tie(a, b) = std::make_pair(b + 1, a);
    sink.take(a);
    int64_t sorted[2] = {point.x, 50};
    std::sort(sorted, sorted + 2);
    sink.take(sorted[0] + point.y);
    sink.take(ids[0] - ids[1] + four.sum().item<int64_t>());
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
