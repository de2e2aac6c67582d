// Tensors of the training function that collect gradients: backward() writes them, though it names
// only the loss.
#include "parts.h"

struct Config {
  int64_t steps = 8;
};

torch::Tensor lossOf(const torch::Tensor& w, int64_t seed) {
  return (w * static_cast<double>(seed)).sum();
}
void learn(const torch::Tensor& w, int64_t factor) {
  (w * static_cast<double>(factor)).sum().backward();
}
int64_t whole(const torch::Tensor& t) {
  return (t.detach() * 8).sum().to(torch::kInt64).item<int64_t>();
}

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  torch::Tensor w = torch::ones({4}, torch::requires_grad());
  torch::Tensor v = torch::ones({4});
  v.requires_grad_();
  torch::Tensor mask = torch::ones({4});
  for (int64_t i = 0; i < cfg.steps; ++i) {
    int64_t seed = source.next() + whole(mask);
    fdg::partition(fdg::broadcast, seed);
    w.mutable_grad() = torch::zeros({4});
    v.mutable_grad() = torch::zeros({4});
    (w * 3).sum().backward();
    sink.take(whole(w.grad()));
    torch::Tensor loss = lossOf(w * mask, seed);
    torch::Tensor half = loss * 0.5;
    half.backward();
    sink.take(whole(w.grad()));
    learn(v, i + 1);
    w.grad().add_(1);
    const std::vector<torch::Tensor> all = {w};
    for (const auto& each : all) {
      each.mutable_grad() = each.grad() * 2;
    }
    torch::Tensor flag = torch::ones({2});
    flag.requires_grad_();
    sink.take(flag.requires_grad() ? 5 : 6);
    flag.set_requires_grad(false);
    sink.take(flag.requires_grad() ? 7 : 8);
    torch::Tensor inner = w * 2;
    inner.retain_grad();
    inner.sum().backward();
    sink.take(whole(inner.grad()));
    sink.take(whole(w.grad() + v.grad()));
    torch::autograd::backward({(w * v).sum()}, {});
    sink.take(whole(w.grad() + v.grad()));
    {
      torch::NoGradGuard guard;
      w -= w.grad() * 0.125;
      w.clamp_(-8, 8);
    }
    torch::Tensor other = torch::zeros({4});
    torch::Tensor storage = w.detach() * 2;
    other.set_(storage);
    storage.add_(1);
    sink.take(whole(w) + whole(other));
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
