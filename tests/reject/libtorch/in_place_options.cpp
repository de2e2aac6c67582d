// Activations that are asked to write their input, which has crossed; those that are not asked.
#include <algorithm>
#include <any>
#include <array>
#include <functional>

#include "tests/accept/parts.h"

struct Config {
  int64_t steps = 9;
};

int64_t whole(const torch::Tensor& t) { return (t.detach() * 64).sum().to(torch::kInt64).item<int64_t>(); }


namespace F = torch::nn::functional;

struct NetImpl : torch::nn::Module {
  torch::nn::ReLU relu{torch::nn::ReLUOptions(true)};
  torch::Tensor forward(torch::Tensor x) { return relu(x); }
};
TORCH_MODULE(Net);

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  torch::nn::ReLU relu(torch::nn::ReLUOptions().inplace(true));
  torch::nn::Sequential several(torch::nn::Tanh(), torch::nn::ReLU(torch::nn::ReLUOptions(true)));
  torch::nn::ReLU plain;
  Net net;
  F::ELUFuncOptions asked;
  asked.inplace(true);
  const auto steep = F::LeakyReLUFuncOptions().negative_slope(0.5);
  for (int64_t i = 0; i < cfg.steps; ++i) {
    torch::Tensor x = torch::arange(4) - static_cast<double>(source.next() % 3);
    fdg::partition(fdg::broadcast, x);
    sink.take(whole(F::relu(x)));
    sink.take(whole(F::relu(x, F::ReLUFuncOptions().inplace(false))));
    sink.take(whole(F::leaky_relu(x, steep)));
    sink.take(whole(plain(x)));
    sink.take(whole(F::relu(x, F::ReLUFuncOptions().inplace(true))));  // refused: writes_crossed
    sink.take(whole(F::elu(x, asked)));      // refused: writes_crossed
    sink.take(whole(relu(x)));               // refused: writes_crossed
    sink.take(whole(several->forward(x)));   // refused: writes_crossed
    sink.take(whole(net(x)));                // refused: writes_crossed
    torch::Tensor mean = torch::zeros({4}) + static_cast<double>(source.next() % 3);
    torch::Tensor table = torch::ones({4, 4}) * static_cast<double>(source.next() % 3);
    fdg::partition(fdg::broadcast, mean, table);
    torch::Tensor batch = torch::arange(8.0).view({2, 4});
    torch::Tensor variance = torch::ones({4});
    sink.take(whole(F::embedding(torch::zeros({1}, torch::kLong), table)));
    const auto row = torch::zeros({1}, torch::kLong);
    const auto shortened = F::EmbeddingFuncOptions().max_norm(1.0);
    const auto learning = F::BatchNormFuncOptions().training(true);
    sink.take(whole(F::embedding(row, table, shortened)));             // refused: writes_crossed
    sink.take(whole(F::batch_norm(batch, mean, variance, learning)));  // refused: writes_crossed
    sink.take(whole(
        torch::batch_norm(batch, {}, {}, mean, variance, true, 0.5, 1e-5, false)));  // refused: writes_crossed
    std::vector<torch::Tensor> parameters = {mean};
    torch::nn::utils::vector_to_parameters(torch::ones({4}), parameters);  // refused: writes_crossed
    std::mem_fn(&torch::Tensor::zero_)(mean);  // refused: may_write_crossed
    std::any kept = mean;
    std::any_cast<torch::Tensor&>(kept).zero_();  // refused: writes_crossed
    std::array<torch::Tensor, 1> list = {mean};
    std::ranges::for_each(list, [](auto t) { t.zero_(); });  // refused: writes_crossed
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
