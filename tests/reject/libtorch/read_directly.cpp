// Tensors that the training function takes out of a component by itself, and that the component goes on writing.
#include <algorithm>
#include <iterator>

#include "tests/accept/parts.h"

struct Config {
  int64_t steps = 9;
};

int64_t whole(const torch::Tensor& t) { return (t.detach() * 64).sum().to(torch::kInt64).item<int64_t>(); }

struct Stats {
  torch::Tensor sum = torch::zeros({4});
  void update(const torch::Tensor& x) { sum.add_(x); }
};

std::vector<torch::Tensor> buffersOf(const torch::nn::Module& module) {
  std::vector<torch::Tensor> all;
  for (const auto& buffer : module.buffers()) {
    all.push_back(buffer);
  }
  return all;
}

std::vector<torch::Tensor> copiesOf(const torch::nn::Module& module) {
  std::vector<torch::Tensor> all;
  for (const auto& buffer : module.buffers()) {
    all.push_back(buffer.clone());
  }
  return all;
}

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
  torch::optim::SGD opt(net->parameters(), torch::optim::SGDOptions(0.5).momentum(0.5));
  torch::nn::BatchNorm1d norm(1);
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
    auto parameters = net->parameters();
    std::vector<torch::Tensor> algorithm;
    std::copy(parameters.begin(), parameters.end(), std::back_inserter(algorithm));
    std::vector<torch::Tensor> transformed;
    std::transform(parameters.begin(), parameters.end(), std::back_inserter(transformed),
                   [](const torch::Tensor& p) { return p.detach(); });
    std::vector<torch::Tensor> made_anew;
    std::transform(parameters.begin(), parameters.end(), std::back_inserter(made_anew),
                   [](const torch::Tensor& p) { return p.detach().clone(); });
    std::vector<torch::Tensor> collected;
    std::ranges::for_each(parameters, [&](const auto& p) {
      auto handle = p.detach();
      collected.push_back(handle);
    });
    std::vector<torch::Tensor> cloned;
    std::for_each(parameters.begin(), parameters.end(), [&](const torch::Tensor& p) { cloned.push_back(p.clone()); });
    auto buffers = buffersOf(*norm);
    auto copies = copiesOf(*norm);
    auto& moments = static_cast<torch::optim::SGDParamState&>(*opt.state().at(net->weight.unsafeGetTensorImpl()));
    auto state = moments.momentum_buffer();
    int64_t seed = source.next();
    fdg::partition(fdg::broadcast, direct);  // refused: crosses_handle
    fdg::partition(fdg::broadcast, viewed);  // refused: crosses_handle
    fdg::partition(fdg::broadcast, copied);
    fdg::partition(fdg::broadcast, ones);
    fdg::partition(fdg::broadcast, weight);  // refused: crosses_handle
    fdg::partition(fdg::broadcast, all);     // refused: crosses_handle
    fdg::partition(fdg::broadcast, named);   // refused: crosses_handle
    fdg::partition(fdg::broadcast, clones);
    fdg::partition(fdg::broadcast, algorithm);    // refused: crosses_handle
    fdg::partition(fdg::broadcast, transformed);  // refused: crosses_handle
    fdg::partition(fdg::broadcast, made_anew);
    fdg::partition(fdg::broadcast, collected);    // refused: crosses_handle
    fdg::partition(fdg::broadcast, cloned);
    fdg::partition(fdg::broadcast, buffers);      // refused: crosses_handle
    fdg::partition(fdg::broadcast, copies);
    fdg::partition(fdg::broadcast, state);        // refused: crosses_handle
    fdg::partition(fdg::broadcast, seed);
    sink.take(whole(direct) + whole(viewed) + whole(copied) + whole(ones) + whole(weight) + seed);
    sink.take(whole(all[0]) + whole(named[0]) + whole(clones[0]));
    sink.take(whole(algorithm[0]) + whole(transformed[0]) + whole(made_anew[0]) + whole(collected[0]));
    sink.take(whole(cloned[0]) + whole(buffers[0]) + whole(copies[0]) + whole(state));
    norm(x.view({4, 1}));
    frozen.read();
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
