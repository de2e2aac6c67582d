// NatureCnn: images of bytes → features in [0, ∞), by the convolutions of Mnih et al. 2015 (Nature
// 518): 32 filters of 8 × 8 with stride 4, 64 of 4 × 4 with stride 2, 64 of 3 × 3, a ReLU behind
// each.
//
// An image is [channels, height, width] uint8, divided by 255 here and nowhere before. Features are
// [64, height, width] of the last layer: 3,136 for 84 × 84. Each image goes through alone, as
// matrix products over its patches, so it has the same bits in every batch; backward equals
// autograd within float32 rounding. Parameters lie layer by layer: the weight [kernel, kernel,
// channels, filters], then the bias [filters]. Not thread-safe: holds the activations of its last
// forward, 84 KB for an image of 4 × 84 × 84, which takes about 15 million operations.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fdg::rl {

/// One convolution: [height, width, channels] → [outHeight, outWidth, filters].
struct Convolution {
  int64_t height, width, channels;
  int64_t kernel, stride, filters;

  int64_t outHeight() const { return (height - kernel) / stride + 1; }
  int64_t outWidth() const { return (width - kernel) / stride + 1; }
  int64_t positions() const { return outHeight() * outWidth(); }
  int64_t outputs() const { return positions() * filters; }
  int64_t patch() const { return kernel * kernel * channels; }  ///< Numbers that a filter sees.
  int64_t parameters() const { return (patch() + 1) * filters; }
};

/// Height and width that the three layers need at least.
constexpr int64_t kSmallestImage = 36;

class NatureCnn {
 public:
  static constexpr size_t kLayers = 3;
  using Layers = std::array<Convolution, kLayers>;

  /// `image`: channels, height and width of at least kSmallestImage.
  explicit NatureCnn(std::span<const int64_t> image);

  static Layers layersFor(std::span<const int64_t> image);
  static int64_t parametersFor(std::span<const int64_t> image);
  static int64_t featuresFor(std::span<const int64_t> image);

  /// Channels, height, width.
  const std::array<int64_t, 3>& shape() const { return shape_; }
  /// [rows, image] → [rows, features]; valid until the next call.
  const float* forward(const float* parameters, const uint8_t* images, int64_t rows);
  /// Of the last forward.
  const float* features() const { return features_.data(); }
  /// After forward on the same images: from the loss's derivative by the features [rows, features]
  /// to its gradient by all parameters, which is written to `gradient`.
  void backward(const float* parameters, const uint8_t* images, const float* d_features,
                float* gradient);

 private:
  const float* inputOf(size_t l, const uint8_t* images, int64_t row);
  float* outputOf(size_t l, int64_t row);
  void learnFrom(int64_t row, const uint8_t* images, const float* d_features, float* gradient);

  std::array<int64_t, 3> shape_;
  Layers layers_;
  int64_t rows_ = 0;
  std::array<std::vector<float>, kLayers> outputs_;  // of each layer, after the ReLU
  std::vector<float> features_;
  // Of the image at hand:
  std::vector<float> pixels_;               // [height, width, channels], divided by 255
  std::vector<float> patches_, d_patches_;  // [positions, patch] of a layer
  std::vector<float> d_output_, d_input_, weight_terms_;
  std::array<std::vector<float>, kLayers> transposed_;  // weights as [filters, patch]
};

}  // namespace fdg::rl
