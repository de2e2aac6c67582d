// What users of LibTorch write every day: modules as in its tutorial, called through their holders; options in one
// expression; replays that drop, sort and shuffle their elements; lambdas that both sides call; hooks that scale.
#include <algorithm>
#include <deque>
#include <random>

#include "parts.h"

struct Config {
  int64_t steps = 12;
};

struct NetImpl : torch::nn::Module {
  torch::nn::Linear first{nullptr};
  torch::nn::Linear second{nullptr};
  NetImpl() {
    first = register_module("first", torch::nn::Linear(4, 3));
    second = register_module("second", torch::nn::Linear(torch::nn::LinearOptions(3, 2).bias(false)));
    torch::NoGradGuard guard;
    double value = 0.125;
    for (auto& parameter : parameters()) {
      parameter.fill_(value);
      value = -value / 2;
    }
  }
  torch::Tensor forward(torch::Tensor x) { return second(torch::relu(first(x))); }
};
TORCH_MODULE(Net);

int64_t whole(const torch::Tensor& t) { return (t.detach() * 64).sum().to(torch::kInt64).const_data_ptr<int64_t>()[0]; }

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  Net net;
  torch::nn::Flatten flatten;
  torch::nn::Dropout dropout(0.5);
  dropout->eval();
  torch::optim::SGD opt(net->parameters(), torch::optim::SGDOptions(0.25).momentum(0.5).nesterov(true));
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  const double scale = 3;
  w.register_hook([scale](const torch::Tensor& g) { return g * scale; });
  const auto schedule = [&cfg](int64_t i) { return 8 * std::max<int64_t>(0, cfg.steps - 2 * i); };
  const auto prepared = [](const torch::Tensor& x) {
    const torch::Tensor twice = x * 2;
    return twice + 1;
  };
  const auto evaluated = [&](const torch::Tensor& x) {
    torch::NoGradGuard none;
    return whole(net(x / 64));
  };
  std::vector<torch::Tensor> recent;
  std::vector<std::pair<int64_t, torch::Tensor>> best;
  std::deque<torch::Tensor> window;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    torch::Tensor obs = prepared(torch::arange(4) - static_cast<double>(source.next() % 5 + schedule(i)));
    fdg::partition(fdg::broadcast, obs);
    recent.push_back(obs);
    if (recent.size() > 3) {
      recent.erase(recent.begin());
    }
    std::reverse(recent.begin(), recent.end());
    best.emplace_back(whole(obs), obs);
    std::sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    if (best.size() > 2) {
      best.resize(2, {0, torch::Tensor()});
    }
    window.push_back(obs);
    if (window.size() > 2) {
      window.pop_front();
    }
    opt.zero_grad();
    torch::Tensor loss = (net(obs / 64) + net->forward(prepared(window.front()) / 64)).pow(2).sum();
    loss.backward();
    opt.step();
    torch::Tensor flat = flatten(obs.view({2, 2})).clone();
    flat += 1;
    w.mutable_grad() = torch::zeros({4});
    (w * dropout(obs)).sum().backward();
    sink.take(whole(w.grad()) + whole(flat) + whole(recent.back()) + best.back().first + schedule(i));
    sink.take(whole(net->first->weight) + whole(obs));
    sink.take(evaluated(obs) + [&] {
      torch::NoGradGuard none;
      using Number = int64_t;
      return static_cast<Number>(net(obs / 64).requires_grad() ? 1 : 2);
    }());
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)

// CHECK: fragment source: components source;
// CHECK: fragment sink: components sink,
