// What the tests of on-policy learners share: a small space, noise, and networks by LibTorch.
#pragma once

#include "algorithms/envs/Environment.h"
#include "algorithms/parts/Network.h"

namespace fdg::rl {

inline EnvSpec boxSpec(bool discrete) {
  return {.name = "box",
          .observation_shape = {3},
          .discrete = discrete,
          .actions = discrete ? 4 : 2,
          .low = {-2, -2},
          .high = {2, 2}};
}

inline torch::Tensor noise(Stream& stream, torch::IntArrayRef sizes) {
  auto t = torch::empty(sizes, torch::kFloat32);
  stream.fillNormal(0, {t.data_ptr<float>(), static_cast<size_t>(t.numel())});
  return t;
}

/// Dense layers with the block's activation between them, from a flat parameter tensor.
inline torch::Tensor mlpByTorch(const Block& block, const torch::Tensor& flat, torch::Tensor x) {
  const auto hidden = [&](const torch::Tensor& sums) {
    return block.kind == "relu" ? torch::relu(sums) : torch::tanh(sums);
  };
  int64_t at = block.offset;
  for (size_t l = 0; l + 1 < block.sizes.size(); ++l) {
    const int64_t in = block.sizes[l], out = block.sizes[l + 1];
    x = torch::addmm(flat.slice(0, at + in * out, at + (in + 1) * out), x,
                     flat.slice(0, at, at + in * out).view({in, out}));
    at += (in + 1) * out;
    x = l + 2 < block.sizes.size() ? hidden(x) : x;
  }
  return x;
}

}  // namespace fdg::rl
