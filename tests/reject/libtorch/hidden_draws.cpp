// Modules that draw their first weights, or at each call, from hidden state.
#include "tests/accept/parts.h"

struct Config {
  int64_t steps = 9;
};

int64_t whole(const torch::Tensor& t) { return (t.detach() * 64).sum().to(torch::kInt64).item<int64_t>(); }


struct NetImpl : torch::nn::Module {
  torch::nn::Linear first{nullptr};
  NetImpl() { first = register_module("first", torch::nn::Linear(4, 2)); }  // refused: random_outside_stream
  torch::Tensor forward(const torch::Tensor& x) { return torch::relu(first(x)); }
};
TORCH_MODULE(Net);

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  Net net;
  torch::nn::GRU memory(4, 2);   // refused: random_outside_stream
  torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({4}));
  for (int64_t i = 0; i < cfg.steps; ++i) {
    torch::Tensor x = torch::arange(4) - static_cast<double>(source.next() % 3);
    fdg::partition(fdg::broadcast, x);
    sink.take(whole(net(norm(x))) + whole(std::get<0>(memory->forward(x.view({1, 1, 4})))));
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
