#include "algorithms/parts/Network.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "algorithms/envs/FreshTensor.h"
#include "algorithms/parts/NatureCnn.h"
#include "base/ConfigError.h"

namespace fdg::rl {
namespace {

constexpr int64_t kMostUnits = int64_t{1} << 24;

[[noreturn]] void refuseLayout(const std::string& text) {
  throw UserError(
      "\"" + text +
      "\" does not describe a network; expected blocks such as \"actor tanh 4 64 64 2\", with a "
      "semicolon between two");
}

/// Of a network's kind.
std::optional<Activation> activationOf(const std::string& kind) {
  if (kind == "relu") {
    return Activation::relu;
  }
  if (kind == "tanh") {
    return Activation::tanh;
  }
  return kind == "normed_silu" ? std::optional(Activation::normed_silu) : std::nullopt;
}

/// Whether it is of a known kind and has as many sizes as that needs.
bool hasSizes(const Block& block) {
  const size_t sizes = block.sizes.size();
  if (block.kind == "nature") {
    return sizes == 3 && std::min(block.sizes[1], block.sizes[2]) >= kSmallestImage;
  }
  return block.kind == "vector" ? sizes >= 1 : activationOf(block.kind) && sizes >= 2;
}

/// Weights [filters, channels, kernel, kernel] and biases, layer by layer.
void nameConvolutions(const Block& block, const torch::Tensor& flat, NamedTensors& tensors) {
  int64_t at = block.offset;
  int number = 0;
  for (const Convolution& layer : NatureCnn::layersFor(block.sizes)) {
    const std::string name = block.name + "." + std::to_string(number++);
    const int64_t weights = layer.patch() * layer.filters;
    tensors.emplace_back(name + ".weight",
                         flat.slice(0, at, at + weights)
                             .view({layer.kernel, layer.kernel, layer.channels, layer.filters})
                             .permute({3, 2, 0, 1})
                             .contiguous());
    tensors.emplace_back(name + ".bias",
                         flat.slice(0, at + weights, at + layer.parameters()).clone());
    at += layer.parameters();
  }
}

/// Gain 1 and shift 0 behind weight and bias of a layer, if it is normed; gives where the next
/// begins.
float* initNorm(const MlpShape& shape, size_t l, float* layer) {
  const int64_t out = shape.sizes[l + 1];
  float* norm = layer + (shape.sizes[l] + 1) * out;
  if (shape.normed(l)) {
    std::fill_n(norm, out, 1.0f);
    std::fill_n(norm + out, out, 0.0f);
  }
  return layer + shape.parameters(l);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

/// `count` orthonormal vectors of `length` ≥ count, by Gram-Schmidt applied twice.
std::vector<std::vector<double>> orthonormal(int64_t count, int64_t length, Stream& stream) {
  std::vector<std::vector<double>> vectors;
  while (static_cast<int64_t>(vectors.size()) < count) {
    std::vector<double> v(static_cast<size_t>(length));
    for (double& x : v) {
      x = stream.normal();
    }
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto& other : vectors) {
        const double along = dot(v, other);
        for (size_t i = 0; i < v.size(); ++i) {
          v[i] -= along * other[i];
        }
      }
    }
    const double norm = std::sqrt(dot(v, v));
    if (norm > 1e-6) {
      for (double& x : v) {
        x /= norm;
      }
      vectors.push_back(std::move(v));
    }
  }
  return vectors;
}

}  // namespace

int64_t Block::parameters() const {
  if (kind == "nature") {
    return NatureCnn::parametersFor(sizes);
  }
  return kind == "vector" ? sizes.front() : shape().parameters();
}

MlpShape Block::shape() const { return {activationOf(kind).value(), sizes}; }

void NetworkLayout::add(const std::string& name, const std::string& kind,
                        std::vector<int64_t> sizes) {
  const int64_t offset = parameters();
  blocks_.push_back({name, kind, std::move(sizes), offset});
  const Block& block = blocks_.back();
  if (name.empty() || !hasSizes(block) ||
      !std::ranges::all_of(block.sizes, [](int64_t n) { return n >= 1 && n <= kMostUnits; })) {
    refuseLayout(text());
  }
}

NetworkLayout NetworkLayout::parse(const std::string& text) {
  NetworkLayout layout;
  std::stringstream blocks(text);
  for (std::string part; std::getline(blocks, part, ';');) {
    std::stringstream words(part);
    std::string name, kind;
    words >> name >> kind;
    std::vector<int64_t> sizes;
    for (int64_t size = 0; words >> size;) {
      sizes.push_back(size);
    }
    if (!words.eof()) {
      refuseLayout(text);
    }
    layout.add(name, kind, std::move(sizes));
  }
  return layout;
}

std::string NetworkLayout::text() const {
  std::string text;
  for (const Block& block : blocks_) {
    text += (text.empty() ? "" : "; ") + block.name + " " + block.kind;
    for (const int64_t size : block.sizes) {
      text += " " + std::to_string(size);
    }
  }
  return text;
}

const Block& NetworkLayout::block(std::string_view name) const {
  const auto found = std::ranges::find(blocks_, name, &Block::name);
  if (found == blocks_.end()) {
    throw UserError("the network \"" + text() + "\" has no block called \"" + std::string(name) +
                    "\"");
  }
  return *found;
}

bool NetworkLayout::has(std::string_view name) const {
  return std::ranges::find(blocks_, name, &Block::name) != blocks_.end();
}

int64_t NetworkLayout::parameters() const {
  return blocks_.empty() ? 0 : blocks_.back().offset + blocks_.back().parameters();
}

NetworkLayout layoutOf(const Weights& weights) {
  if (weights.network.empty() || !weights.flat.defined()) {
    throw UserError(
        "these weights are empty: take them from a learner, or from an evaluator that has run");
  }
  NetworkLayout layout = NetworkLayout::parse(weights.network);
  if (weights.flat.numel() != layout.parameters()) {
    throw UserError("weights of " + std::to_string(weights.flat.numel()) +
                    " numbers are no network \"" + weights.network + "\", which has " +
                    std::to_string(layout.parameters()));
  }
  return layout;
}

NamedTensors Weights::parameters() const {
  NamedTensors tensors;
  const NetworkLayout layout = layoutOf(*this);
  for (const Block& block : layout.blocks()) {
    int64_t at = block.offset;
    if (block.kind == "vector") {
      tensors.emplace_back(block.name, flat.slice(0, at, at + block.sizes.front()).clone());
      continue;
    }
    if (block.kind == "nature") {
      nameConvolutions(block, flat, tensors);
      continue;
    }
    const MlpShape shape = block.shape();
    for (size_t l = 0; l + 1 < block.sizes.size(); ++l) {
      const int64_t in = block.sizes[l];
      const int64_t out = block.sizes[l + 1];
      const std::string name = block.name + "." + std::to_string(l);
      tensors.emplace_back(name + ".weight",
                           flat.slice(0, at, at + in * out).view({in, out}).t().contiguous());
      const auto vector = [&](const std::string& of, int64_t from) {
        tensors.emplace_back(name + of, flat.slice(0, from, from + out).clone());
      };
      vector(".bias", at + in * out);
      if (shape.normed(l)) {
        vector(".norm.weight", at + (in + 1) * out);
        vector(".norm.bias", at + (in + 2) * out);
      }
      at += shape.parameters(l);
    }
  }
  return tensors;
}

NamedTensors Weights::namedTensors() const {
  NamedTensors tensors = parameters();
  torch::Tensor text = freshTensor({static_cast<int64_t>(network.size())}, torch::kByte);
  std::ranges::copy(network, text.data_ptr<uint8_t>());
  tensors.emplace_back("network", text);
  return tensors;
}

void copyParameters(const Weights& weights, const NetworkLayout& layout, std::vector<float>& to) {
  if (weights.network != layout.text() || !weights.flat.defined() ||
      weights.flat.numel() != layout.parameters()) {
    throw UserError("weights of the network \"" + weights.network + "\" were loaded into \"" +
                    layout.text() +
                    "\"; both sides must be built from the same environment and options");
  }
  const torch::Tensor flat = weights.flat.to(torch::kCPU, torch::kFloat32).contiguous();
  to.assign(flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
}

Weights makeWeights(const std::vector<float>& parameters, const NetworkLayout& layout) {
  torch::Tensor flat = freshTensor({static_cast<int64_t>(parameters.size())}, torch::kFloat32);
  std::ranges::copy(parameters, flat.data_ptr<float>());
  return {flat, layout.text()};
}

void initOrthogonal(const Block& block, float last_gain, Stream& stream,
                    std::vector<float>& parameters) {
  float* at = parameters.data() + block.offset;
  const MlpShape shape = block.shape();
  for (size_t l = 0; l + 1 < block.sizes.size(); ++l) {
    const int64_t in = block.sizes[l];
    const int64_t out = block.sizes[l + 1];
    const double gain = l + 2 == block.sizes.size() ? last_gain : std::sqrt(2.0);
    const auto vectors = orthonormal(std::min(in, out), std::max(in, out), stream);
    for (int64_t i = 0; i < in; ++i) {
      for (int64_t o = 0; o < out; ++o) {
        const double x = in < out ? vectors[static_cast<size_t>(i)][static_cast<size_t>(o)]
                                  : vectors[static_cast<size_t>(o)][static_cast<size_t>(i)];
        at[i * out + o] = static_cast<float>(gain * x);
      }
    }
    std::fill_n(at + in * out, out, 0.0f);
    at = initNorm(shape, l, at);
  }
}

void initUniform(const Block& block, Stream& stream, std::vector<float>& parameters) {
  float* at = parameters.data() + block.offset;
  const auto fill = [&](int64_t inputs, int64_t outputs) {
    const auto bound = static_cast<float>(1.0 / std::sqrt(static_cast<double>(inputs)));
    stream.fillUniform(0, {at, static_cast<size_t>((inputs + 1) * outputs)}, -bound, bound);
  };
  if (block.kind == "nature") {
    for (const Convolution& layer : NatureCnn::layersFor(block.sizes)) {
      fill(layer.patch(), layer.filters);
      at += layer.parameters();
    }
    return;
  }
  const MlpShape shape = block.shape();
  for (size_t l = 0; l + 1 < block.sizes.size(); ++l) {
    fill(block.sizes[l], block.sizes[l + 1]);
    at = initNorm(shape, l, at);
  }
}

int64_t denseInputs(const EnvSpec& spec) {
  if (spec.isImage()) {
    throw ConfigError(spec.name + " gives images (" + spec.shapeText() +
                      " bytes), and the networks of this program are dense: dqn and apex have "
                      "convolutions for images");
  }
  return spec.observationSize();
}

}  // namespace fdg::rl
