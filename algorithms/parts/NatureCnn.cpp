#include "algorithms/parts/NatureCnn.h"

#include <algorithm>

#include "algorithms/parts/DenseKernels.h"
#include "algorithms/parts/Grow.h"

namespace fdg::rl {
namespace {

/// Calls act(from, to, count) for every run of numbers that lie together in a layer's input
/// [height, width, channels] (`from`) and in its patches [positions, patch] (`to`).
template <class Act>
void eachRun(const Convolution& layer, const Act& act) {
  const int64_t run = layer.kernel * layer.channels;
  int64_t to = 0;
  for (int64_t y = 0; y < layer.outHeight(); ++y) {
    for (int64_t x = 0; x < layer.outWidth(); ++x) {
      for (int64_t k = 0; k < layer.kernel; ++k) {
        const int64_t line = y * layer.stride + k;
        act((line * layer.width + x * layer.stride) * layer.channels, to, run);
        to += run;
      }
    }
  }
}

void takePatches(const Convolution& layer, const float* input, float* patches) {
  eachRun(layer, [&](int64_t from, int64_t to, int64_t count) {
    std::copy_n(input + from, count, patches + to);
  });
}

/// Back: what overlapping patches say of a number is summed.
void sumPatches(const Convolution& layer, const float* d_patches, float* d_input) {
  std::fill_n(d_input, layer.height * layer.width * layer.channels, 0.0f);
  eachRun(layer, [&](int64_t from, int64_t to, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      d_input[from + i] += d_patches[to + i];
    }
  });
}

}  // namespace

NatureCnn::Layers NatureCnn::layersFor(std::span<const int64_t> image) {
  Layers layers;
  layers[0] = {image[1], image[2], image[0], 8, 4, 32};
  layers[1] = {layers[0].outHeight(), layers[0].outWidth(), 32, 4, 2, 64};
  layers[2] = {layers[1].outHeight(), layers[1].outWidth(), 64, 3, 1, 64};
  return layers;
}

int64_t NatureCnn::parametersFor(std::span<const int64_t> image) {
  int64_t count = 0;
  for (const Convolution& layer : layersFor(image)) {
    count += layer.parameters();
  }
  return count;
}

int64_t NatureCnn::featuresFor(std::span<const int64_t> image) {
  return layersFor(image).back().outputs();
}

NatureCnn::NatureCnn(std::span<const int64_t> image)
    : shape_{image[0], image[1], image[2]}, layers_(layersFor(image)) {
  int64_t most = 0;
  int64_t weights = 0;
  for (size_t l = 0; l < kLayers; ++l) {
    most = std::max(most, layers_[l].positions() * layers_[l].patch());
    weights = std::max(weights, layers_[l].patch() * layers_[l].filters);
  }
  grow(pixels_, image[0] * image[1] * image[2]);
  grow(patches_, most);
  grow(weight_terms_, weights);
}

float* NatureCnn::outputOf(size_t l, int64_t row) {
  return outputs_[l].data() + row * layers_[l].outputs();
}

/// [height, width, channels], also of the image itself.
const float* NatureCnn::inputOf(size_t l, const uint8_t* images, int64_t row) {
  if (l > 0) {
    return outputOf(l - 1, row);
  }
  const int64_t channels = layers_[0].channels;
  const int64_t size = layers_[0].height * layers_[0].width;
  const uint8_t* image = images + row * channels * size;
  for (int64_t i = 0; i < size; ++i) {
    for (int64_t c = 0; c < channels; ++c) {
      pixels_[static_cast<size_t>(i * channels + c)] =
          static_cast<float>(image[c * size + i]) / 255.0f;
    }
  }
  return pixels_.data();
}

const float* NatureCnn::forward(const float* parameters, const uint8_t* images, int64_t rows) {
  rows_ = rows;
  for (size_t l = 0; l < kLayers; ++l) {
    grow(outputs_[l], rows * layers_[l].outputs());
  }
  const Convolution& last = layers_.back();
  const int64_t features = last.outputs();
  grow(features_, rows * features);
  for (int64_t row = 0; row < rows; ++row) {
    const float* weight = parameters;
    for (size_t l = 0; l < kLayers; ++l) {
      const Convolution& layer = layers_[l];
      takePatches(layer, inputOf(l, images, row), patches_.data());
      multiply({.m = layer.positions(),
                .n = layer.filters,
                .k = layer.patch(),
                .a = patches_.data(),
                .a_row = layer.patch(),
                .b = weight,
                .bias = weight + layer.patch() * layer.filters,
                .c = outputOf(l, row)});
      reluInPlace(outputOf(l, row), layer.outputs());
      weight += layer.parameters();
    }
    transpose(outputOf(kLayers - 1, row), last.positions(), last.filters,
              features_.data() + row * features);
  }
  return features_.data();
}

void NatureCnn::backward(const float* parameters, const uint8_t* images, const float* d_features,
                         float* gradient) {
  const float* weight = parameters;
  for (size_t l = 0; l < kLayers; ++l) {
    grow(transposed_[l], layers_[l].patch() * layers_[l].filters);
    transpose(weight, layers_[l].patch(), layers_[l].filters, transposed_[l].data());
    weight += layers_[l].parameters();
  }
  const Convolution& last = layers_.back();
  std::fill(gradient, gradient + (weight - parameters), 0.0f);
  for (int64_t row = 0; row < rows_; ++row) {
    learnFrom(row, images, d_features + row * last.outputs(), gradient);
  }
}

/// Adds what one image says to the gradient.
void NatureCnn::learnFrom(int64_t row, const uint8_t* images, const float* d_features,
                          float* gradient) {
  const Convolution& last = layers_.back();
  grow(d_output_, last.outputs());
  transpose(d_features, last.filters, last.positions(), d_output_.data());
  float* d_weight = gradient;
  for (const Convolution& layer : layers_) {
    d_weight += layer.parameters();
  }
  for (size_t l = kLayers; l-- > 0;) {
    const Convolution& layer = layers_[l];
    const int64_t weights = layer.patch() * layer.filters;
    d_weight -= layer.parameters();
    reluBackward(d_output_.data(), outputOf(l, row), layer.outputs());
    takePatches(layer, inputOf(l, images, row), patches_.data());
    multiply({.m = layer.patch(),
              .n = layer.filters,
              .k = layer.positions(),
              .a = patches_.data(),
              .a_row = 1,
              .a_step = layer.patch(),
              .b = d_output_.data(),
              .c = weight_terms_.data()});
    for (int64_t i = 0; i < weights; ++i) {
      d_weight[i] += weight_terms_[static_cast<size_t>(i)];
    }
    sumRows(d_output_.data(), layer.positions(), layer.filters, d_weight + weights, /*adds=*/true);
    if (l == 0) {
      return;
    }
    grow(d_patches_, layer.positions() * layer.patch());
    multiply({.m = layer.positions(),
              .n = layer.patch(),
              .k = layer.filters,
              .a = d_output_.data(),
              .a_row = layer.filters,
              .b = transposed_[l].data(),
              .c = d_patches_.data()});
    grow(d_input_, layer.height * layer.width * layer.channels);
    sumPatches(layer, d_patches_.data(), d_input_.data());
    std::swap(d_input_, d_output_);
  }
}

}  // namespace fdg::rl
