// Tensors that the training function takes out of a component by itself, and that the component goes on writing.
#include "tests/accept/parts.h"

struct Config {
  int64_t steps = 9;
};

int64_t whole(const torch::Tensor& t) { return (t.detach() * 64).sum().to(torch::kInt64).item<int64_t>(); }

struct Stats {
  torch::Tensor sum = torch::zeros({4});
  void update(const torch::Tensor& x) { sum.add_(x); }
};

struct Frozen {
  torch::Tensor values = torch::ones({4});
  int64_t reads = 0;
  torch::Tensor read() {
    ++reads;
    return values * reads;
  }
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  Stats stats;
  auto owned = std::make_unique<Stats>();
  Frozen frozen;
  torch::nn::LayerNorm net(torch::nn::LayerNormOptions({4}));
  torch::optim::SGD opt(net->parameters(), 0.5);
  for (int64_t i = 0; i < cfg.steps; ++i) {
    torch::Tensor x = torch::full({4}, static_cast<double>(i));
    opt.zero_grad();
    net(x).sum().backward();
    opt.step();
    stats.update(x);
    owned->update(x);
    auto direct = stats.sum;
    auto viewed = owned->sum.view({2, 2});
    auto copied = stats.sum.clone();
    auto ones = frozen.values;
    auto weight = net->weight.detach();
    auto all = net->parameters();
    std::vector<torch::Tensor> named;
    for (const auto& item : net->named_parameters()) {
      named.push_back(item.value().detach());
    }
    std::vector<torch::Tensor> clones;
    for (const auto& item : net->named_parameters()) {
      clones.push_back(item.value().detach().clone());
    }
    int64_t seed = source.next();
    fdg::partition(fdg::broadcast, direct);  // refused: crosses_handle
    fdg::partition(fdg::broadcast, viewed);  // refused: crosses_handle
    fdg::partition(fdg::broadcast, copied);
    fdg::partition(fdg::broadcast, ones);
    fdg::partition(fdg::broadcast, weight);  // refused: crosses_handle
    fdg::partition(fdg::broadcast, all);     // refused: crosses_handle
    fdg::partition(fdg::broadcast, named);   // refused: crosses_handle
    fdg::partition(fdg::broadcast, clones);
    fdg::partition(fdg::broadcast, seed);
    sink.take(whole(direct) + whole(viewed) + whole(copied) + whole(ones) + whole(weight) + seed);
    sink.take(whole(all[0]) + whole(named[0]) + whole(clones[0]));
    frozen.read();
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
