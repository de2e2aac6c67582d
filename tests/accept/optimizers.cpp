// Optimisers of tensors that the training function holds: a step writes them, though it names none.
#include "parts.h"

struct Config {
  int64_t steps = 9;
};

int64_t whole(const torch::Tensor& t) {
  return (t.detach() * 64).sum().to(torch::kInt64).item<int64_t>();
}

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  torch::Tensor v = torch::ones({3}, torch::requires_grad());
  torch::Tensor u = torch::ones({2}, torch::requires_grad());
  torch::optim::SGD opt({w}, torch::optim::SGDOptions(0.5).momentum(0.5));
  std::vector<torch::Tensor> held = {v};
  auto other = std::make_unique<torch::optim::SGD>(held, 0.25);
  opt.add_param_group(torch::optim::OptimizerParamGroup(std::vector<torch::Tensor>{u}));
  for (int64_t i = 0; i < cfg.steps; ++i) {
    int64_t seed = source.next() % 7;
    fdg::partition(fdg::broadcast, seed);
    if (i % 3 == 0) {  // otherwise gradients add up, over the loop's head
      opt.zero_grad();
    }
    other->zero_grad();
    torch::Tensor loss = (w * seed).sum() + (v * (seed + 1)).sum() + (u * i).sum();
    loss.backward();
    opt.step();
    other->step();
    sink.take(whole(w) * 7 + whole(v) * 3 + whole(u));
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)

// CHECK: fragment sink: components sink, opt, other;
// CHECK-NOT: no checkpoints
