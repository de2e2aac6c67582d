// Guards that live as long as somebody holds them.
#include "tests/accept/parts.h"

struct Config {
  int64_t steps = 9;
};

int64_t whole(const torch::Tensor& t) { return (t.detach() * 64).sum().to(torch::kInt64).item<int64_t>(); }


struct Evaluating {
  torch::NoGradGuard guard;
  int64_t rounds = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  torch::NoGradGuard all;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    std::optional<torch::NoGradGuard> maybe;               // refused: guard_owned
    auto owned = std::make_unique<torch::NoGradGuard>();   // refused: guard_owned
    Evaluating evaluating;                                 // refused: guard_owned
    if (i % 2 == 0) {
      maybe.emplace();
    }
    int64_t x = source.next();
    fdg::partition(fdg::broadcast, x);
    sink.take(x);
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
