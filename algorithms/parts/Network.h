// Weights: the parameters of a policy as one value that crosses in one message, and the layout
// that says what they are.
//
// A layout is a list of blocks, written as text: "actor tanh 4 64 64 2; critic tanh 4 64 64 1;
// log_std vector 2", or "image nature 4 84 84; q relu 3136 512 6". Reading a text that is no layout
// throws UserError.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/envs/VectorEnv.h"
#include "algorithms/parts/SmallNet.h"
#include "fdg/fdg.h"

namespace fdg::rl {

/// One network ("relu", "tanh" or "normed_silu", its layer sizes), convolutions ("nature", the
/// image's channels, height and width) or a bare "vector" of parameters.
struct Block {
  std::string name;
  std::string kind;
  std::vector<int64_t> sizes;
  int64_t offset = 0;  ///< Of its first parameter in the flat buffer.

  int64_t parameters() const;
  /// Of a dense network.
  MlpShape shape() const;
};

class NetworkLayout {
 public:
  NetworkLayout() = default;
  static NetworkLayout parse(const std::string& text);

  void add(const std::string& name, const std::string& kind, std::vector<int64_t> sizes);
  std::string text() const;
  const Block& block(std::string_view name) const;
  bool has(std::string_view name) const;
  const std::vector<Block>& blocks() const { return blocks_; }
  int64_t parameters() const;

 private:
  std::vector<Block> blocks_;
};

/// Parameters of one policy. A whole value: the same on every replica.
struct Weights {
  torch::Tensor flat;   ///< [parameters] float32.
  std::string network;  ///< The layout's text.

  /// By name: "actor.0.weight" [out, in] and "actor.0.bias" [out] as in PyTorch, for convolutions
  /// "image.0.weight" [filters, channels, kernel, kernel], "actor.0.norm.weight" and
  /// "actor.0.norm.bias" [out] where layers are normed, "log_std" [n].
  NamedTensors parameters() const;
  /// For saving: the parameters, and as "network" the layout's text, uint8 [bytes].
  NamedTensors namedTensors() const;
};

/// Of weights that are there: throws UserError if there are none, or not as many as the layout has.
NetworkLayout layoutOf(const Weights& weights);
/// Copies the parameters out of a value; throws UserError if they belong to another network.
void copyParameters(const Weights& weights, const NetworkLayout& layout, std::vector<float>& to);
/// A fresh value with a copy of the parameters.
Weights makeWeights(const std::vector<float>& parameters, const NetworkLayout& layout);

/// Initial weights (Saxe et al. 2014): orthogonal with gain √2, biases 0; the last layer with
/// `last_gain`.
void initOrthogonal(const Block& block, float last_gain, Stream& stream,
                    std::vector<float>& parameters);
/// Uniform in ±1/√inputs for weights and biases, as LibTorch's Linear and Conv2d do.
void initUniform(const Block& block, Stream& stream, std::vector<float>& parameters);

/// Numbers in an observation, for a dense network. Throws UserError for images, which only programs
/// with convolutions take.
int64_t denseInputs(const EnvSpec& spec);

}  // namespace fdg::rl
