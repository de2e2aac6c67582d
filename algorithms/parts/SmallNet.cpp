#include "algorithms/parts/SmallNet.h"

#include <algorithm>

#include "algorithms/parts/DenseKernels.h"
#include "algorithms/parts/Grow.h"

namespace fdg::rl {
int64_t MlpShape::parameters() const {
  int64_t count = 0;
  for (size_t l = 0; l + 1 < sizes.size(); ++l) {
    count += parameters(l);
  }
  return count;
}

int64_t MlpShape::parameters(size_t layer) const {
  const int64_t out = sizes[layer + 1];
  return (sizes[layer] + 1) * out + (normed(layer) ? NormedSilu::parameters(out) : 0);
}

MlpPass::MlpPass(MlpShape shape)
    : shape_(std::move(shape)), outputs_(static_cast<size_t>(shape_.layers())) {
  if (shape_.activation == Activation::normed_silu) {
    normed_.resize(outputs_.size() - 1);
  }
}

std::span<const float> MlpPass::forward(const float* parameters, const float* x, int64_t rows) {
  rows_ = rows;
  const float* input = x;
  const float* layer = parameters;
  for (size_t l = 0; l < outputs_.size(); ++l) {
    const int64_t in = shape_.sizes[l];
    const int64_t out = shape_.sizes[l + 1];
    grow(outputs_[l], rows * out);
    float* output = outputs_[l].data();
    multiply({.m = rows,
              .n = out,
              .k = in,
              .a = input,
              .a_row = in,
              .b = layer,
              .bias = layer + in * out,
              .c = output});
    if (l + 1 < outputs_.size()) {
      activate(l, layer + (in + 1) * out, output);
    }
    input = output;
    layer += shape_.parameters(l);
  }
  return {input, static_cast<size_t>(rows * shape_.outputs())};
}

void MlpPass::activate(size_t l, const float* parameters, float* output) {
  const int64_t count = rows_ * shape_.sizes[l + 1];
  switch (shape_.activation) {
    case Activation::relu:
      return reluInPlace(output, count);
    case Activation::tanh:
      return tanhInPlace(output, count);
    case Activation::normed_silu:
      return normed_[l].forward(parameters, shape_.sizes[l + 1], output, rows_);
  }
}

void MlpPass::backward(const float* parameters, const float* x, const float* d_output,
                       float* gradient, bool adds) {
  const int64_t total = shape_.parameters();
  const float* layer = parameters + total;
  float* d_layer = gradient + total;
  const float* d = d_output;
  for (size_t l = outputs_.size(); l-- > 0;) {
    const int64_t in = shape_.sizes[l];
    const int64_t out = shape_.sizes[l + 1];
    layer -= shape_.parameters(l);
    d_layer -= shape_.parameters(l);
    const float* input = l == 0 ? x : outputs_[l - 1].data();
    multiply({.m = in,
              .n = out,
              .k = rows_,
              .a = input,
              .a_row = 1,
              .a_step = in,
              .b = d,
              .c = d_layer,
              .adds = adds});
    sumRows(d, rows_, out, d_layer + in * out, adds);
    if (l == 0) {
      return;
    }
    d = stepBack(l, layer, d, d_layer, adds);
  }
}

void MlpPass::inputGradient(const float* parameters, const float* d_output, float* d_x) {
  const float* layer = parameters + shape_.parameters();
  const float* d = d_output;
  for (size_t l = outputs_.size(); l-- > 0;) {
    layer -= shape_.parameters(l);
    if (l == 0) {
      multiplyBack(l, layer, d, d_x);
      return;
    }
    d = stepBack(l, layer, d, nullptr, false);
  }
}

void MlpPass::multiplyBack(size_t l, const float* layer, const float* d, float* d_input) {
  const int64_t in = shape_.sizes[l];
  const int64_t out = shape_.sizes[l + 1];
  grow(transposed_, in * out);
  transpose(layer, in, out, transposed_.data());
  multiply(
      {.m = rows_, .n = in, .k = out, .a = d, .a_row = out, .b = transposed_.data(), .c = d_input});
}

const float* MlpPass::stepBack(size_t l, const float* layer, const float* d, float* d_layer,
                               bool adds) {
  const int64_t width = shape_.sizes[l];
  const int64_t count = rows_ * width;
  grow(d_input_, count);
  multiplyBack(l, layer, d, d_input_.data());
  const float* y = outputs_[l - 1].data();
  const int64_t own = NormedSilu::parameters(width);
  switch (shape_.activation) {
    case Activation::relu:
      reluBackward(d_input_.data(), y, count);
      break;
    case Activation::tanh:
      tanhBackward(d_input_.data(), y, count);
      break;
    case Activation::normed_silu:
      normed_[l - 1].backward(layer - own, width, d_input_.data(), rows_,
                              d_layer == nullptr ? nullptr : d_layer - own, adds);
  }
  std::swap(d_input_, d_output_);
  return d_output_.data();
}

}  // namespace fdg::rl
