#include "algorithms/parts/SmallNet.h"

#include <algorithm>

#include "algorithms/parts/DenseKernels.h"

namespace fdg::rl {
namespace {

void grow(std::vector<float>& buffer, int64_t size) {
  if (static_cast<int64_t>(buffer.size()) < size) {
    buffer.resize(static_cast<size_t>(size));
  }
}

/// [rows, columns] → [columns, rows].
void transpose(const float* from, int64_t rows, int64_t columns, float* to) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) {
      to[c * rows + r] = from[r * columns + c];
    }
  }
}

void sumRows(const float* d, int64_t rows, int64_t columns, float* sum) {
  std::fill_n(sum, columns, 0.0f);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) {
      sum[c] += d[r * columns + c];
    }
  }
}

}  // namespace

int64_t MlpShape::parameters() const {
  int64_t count = 0;
  for (size_t l = 0; l + 1 < sizes.size(); ++l) {
    count += (sizes[l] + 1) * sizes[l + 1];
  }
  return count;
}

MlpPass::MlpPass(MlpShape shape)
    : shape_(std::move(shape)), outputs_(static_cast<size_t>(shape_.layers())) {}

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
      shape_.activation == Activation::tanh ? tanhInPlace(output, rows * out)
                                            : reluInPlace(output, rows * out);
    }
    input = output;
    layer += (in + 1) * out;
  }
  return {input, static_cast<size_t>(rows * shape_.outputs())};
}

void MlpPass::backward(const float* parameters, const float* x, const float* d_output,
                       float* gradient) {
  const int64_t total = shape_.parameters();
  const float* layer = parameters + total;
  float* d_layer = gradient + total;
  const float* d = d_output;
  for (size_t l = outputs_.size(); l-- > 0;) {
    const int64_t in = shape_.sizes[l];
    const int64_t out = shape_.sizes[l + 1];
    layer -= (in + 1) * out;
    d_layer -= (in + 1) * out;
    const float* input = l == 0 ? x : outputs_[l - 1].data();
    multiply({.m = in,
              .n = out,
              .k = rows_,
              .a = input,
              .a_row = 1,
              .a_step = in,
              .b = d,
              .c = d_layer});
    sumRows(d, rows_, out, d_layer + in * out);
    if (l == 0) {
      return;
    }
    d = stepBack(l, layer, d);
  }
}

void MlpPass::inputGradient(const float* parameters, const float* d_output, float* d_x) {
  const float* layer = parameters + shape_.parameters();
  const float* d = d_output;
  for (size_t l = outputs_.size(); l-- > 0;) {
    layer -= (shape_.sizes[l] + 1) * shape_.sizes[l + 1];
    if (l == 0) {
      stepBack(l, layer, d, d_x);
      return;
    }
    d = stepBack(l, layer, d);
  }
}

void MlpPass::stepBack(size_t l, const float* layer, const float* d, float* d_input) {
  const int64_t in = shape_.sizes[l];
  const int64_t out = shape_.sizes[l + 1];
  grow(transposed_, in * out);
  transpose(layer, in, out, transposed_.data());
  multiply(
      {.m = rows_, .n = in, .k = out, .a = d, .a_row = out, .b = transposed_.data(), .c = d_input});
}

const float* MlpPass::stepBack(size_t l, const float* layer, const float* d) {
  const int64_t count = rows_ * shape_.sizes[l];
  grow(d_input_, count);
  stepBack(l, layer, d, d_input_.data());
  const float* y = outputs_[l - 1].data();
  shape_.activation == Activation::tanh ? tanhBackward(d_input_.data(), y, count)
                                        : reluBackward(d_input_.data(), y, count);
  std::swap(d_input_, d_output_);
  return d_output_.data();
}

}  // namespace fdg::rl
