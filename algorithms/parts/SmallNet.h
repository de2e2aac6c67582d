// SmallNet: a dense network (MLP) up to a few hundred units wide, forward and backward on the CPU,
// without LibTorch's cost per call.
//
// Forward gives each row the same bits in every batch. Backward equals autograd within float32
// rounding. Parameters lie in one flat buffer: for each layer the weight [in, out], row by row,
// then the bias [out], then for normed hidden layers gain [out] and shift [out]. Not thread-safe: a
// pass holds the activations of its last forward. Refuses nothing; callers check sizes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithms/parts/NormedSilu.h"

namespace fdg::rl {

/// normed_silu: LayerNorm, then SiLU.
enum class Activation { relu, tanh, normed_silu };

struct MlpShape {
  Activation activation = Activation::tanh;
  std::vector<int64_t> sizes;  ///< Inputs, hidden layers…, outputs.

  int64_t inputs() const { return sizes.front(); }
  int64_t outputs() const { return sizes.back(); }
  int64_t layers() const { return static_cast<int64_t>(sizes.size()) - 1; }
  int64_t parameters() const;
  /// Of one layer.
  int64_t parameters(size_t layer) const;
  /// Hidden layers have gain and shift.
  bool normed(size_t layer) const {
    return activation == Activation::normed_silu && layer + 2 < sizes.size();
  }
};

class MlpPass {
 public:
  explicit MlpPass(MlpShape shape);

  const MlpShape& shape() const { return shape_; }

  /// [rows, inputs] → [rows, outputs]; valid until the next forward.
  std::span<const float> forward(const float* parameters, const float* x, int64_t rows);

  /// After forward on the same x. From the loss's derivative by the outputs [rows, outputs] to its
  /// gradient by all parameters, which is written to `gradient`; `adds`: added to it, with the bits
  /// of one pass over the earlier rows and these.
  void backward(const float* parameters, const float* x, const float* d_output, float* gradient,
                bool adds = false);

  /// After forward: the loss's derivative by the inputs [rows, inputs], which is written to `d_x`.
  void inputGradient(const float* parameters, const float* d_output, float* d_x);

 private:
  /// From the derivative by the outputs of layer l to that by its inputs.
  void multiplyBack(size_t l, const float* layer, const float* d, float* d_input);
  /// The same, into d_output_ and by the inputs before their activation. 0 < l. What normed layers
  /// learn ends at `d_layer`, as their parameters end at `layer`; nothing where it is null.
  const float* stepBack(size_t l, const float* layer, const float* d, float* d_layer, bool adds);
  void activate(size_t l, const float* parameters, float* output);

  MlpShape shape_;
  int64_t rows_ = 0;
  std::vector<std::vector<float>> outputs_;  // of each layer, after the activation
  std::vector<NormedSilu> normed_;           // of each hidden layer, if they are
  std::vector<float> d_output_;
  std::vector<float> d_input_;
  std::vector<float> transposed_;
};

}  // namespace fdg::rl
