// A hook runs inside backward().
#include "tests/accept/parts.h"

struct Config {
  int64_t steps = 9;
};

int64_t whole(const torch::Tensor& t) { return (t.detach() * 64).sum().to(torch::kInt64).item<int64_t>(); }


void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  int64_t calls = 0;
  const double scale = 0.5;
  w.register_hook([scale](const torch::Tensor& g) { return g * scale; });
  w.register_hook([&calls](const torch::Tensor&) { ++calls; });       // refused: hook_refers
  w.register_hook([&sink](const torch::Tensor&) { sink.take(1); });   // refused: hook_refers
  for (int64_t i = 0; i < cfg.steps; ++i) {
    int64_t x = source.next();
    fdg::partition(fdg::broadcast, x);
    (w * x).sum().backward();
    sink.take(calls + whole(w.grad()));
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
