#include "algorithms/parts/C51Critics.h"

#include <algorithm>
#include <cmath>

#include "algorithms/parts/Distributions.h"
#include "algorithms/parts/Limits.h"

namespace fdg::rl {
namespace {

constexpr int64_t kCritics = 2;
constexpr int64_t kTogether = 512;  // rows whose activations stay in the caches

std::vector<float> spread(const FastSacOptions& options) {
  const double low = checked(options).value_low, high = options.value_high;
  std::vector<float> atoms;
  for (int64_t i = 0; i < options.atoms; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(options.atoms - 1);
    atoms.push_back(static_cast<float>(low + part * (high - low)));
  }
  return atoms;
}

/// Adds to `to` what `chances` become when each atom's value v moves to `base + discount · v`: the
/// share of an atom between two others goes to these, by nearness; beyond the ends, to the last.
void project(const std::vector<float>& atoms, const float* chances, double base, double discount,
             float* to) {
  const double low = atoms.front();
  const auto last = static_cast<double>(atoms.size() - 1);
  const double per_value = last / (atoms.back() - low);
  for (size_t i = 0; i < atoms.size(); ++i) {
    const double at = std::clamp((base + discount * atoms[i] - low) * per_value, 0.0, last);
    if (std::isnan(at)) {  // belongs nowhere, and must not be lost
      to[i] = NAN;
      continue;
    }
    const double below = std::min(std::floor(at), last - 1);
    const auto part = static_cast<float>(at - below);
    const auto k = static_cast<size_t>(below);
    to[k] += chances[i] * (1.0f - part);
    to[k + 1] += chances[i] * part;
  }
}

}  // namespace

C51Critics::C51Critics(const EnvSpec& spec, const FastSacOptions& options, Stream& stream)
    : spec_(spec),
      options_(options),
      layout_(criticLayout(spec, options.critic_hidden, kCritics, options.atoms, "normed_silu")),
      online_(static_cast<size_t>(layout_.parameters())),
      optimizer_(layout_.parameters(), 1e-8, options.beta1, options.beta2),
      atoms_(spread(options)) {
  for (const Block& block : layout_.blocks()) {
    passes_.emplace_back(block.shape());
    initUniform(block, stream, online_);
  }
  target_ = online_;
}

Weights C51Critics::weights() const {
  NetworkLayout layout = layout_;
  for (const Block& block : layout_.blocks()) {
    layout.add("target_" + block.name, block.kind, block.sizes);
  }
  std::vector<float> both = online_;
  both.insert(both.end(), target_.begin(), target_.end());
  return makeWeights(both, layout);
}

const std::vector<float>& C51Critics::distribution(size_t critic,
                                                   const std::vector<float>& parameters,
                                                   const float* x, int64_t rows,
                                                   const float* wanted, double* entropy) {
  const auto logits = passes_[critic].forward(parameters.data() + offset(critic), x, rows);
  chances_.resize(logits.size());
  const auto n = static_cast<int64_t>(atoms_.size());
  for (int64_t first = 0; first < rows * n; first += n) {
    const float all = logSumExp(logits.data() + first, n);
    for (int64_t i = first; i < first + n; ++i) {
      const auto at = static_cast<size_t>(i);
      chances_[at] = std::exp(logits[at] - all);
      if (wanted != nullptr) {
        *entropy += static_cast<double>(wanted[i]) * (all - logits[at]);
      }
    }
  }
  return chances_;
}

std::vector<float> C51Critics::wanted(const Transitions& rows,
                                      const std::vector<float>& next_action,
                                      const std::vector<float>& bonus) {
  const int64_t count = rows.reward.size(0);
  const auto n = static_cast<int64_t>(atoms_.size());
  const float* x = join(spec_, rows.next_observation, next_action, joined_);
  const float* reward = rows.reward.data_ptr<float>();
  const float* discount = rows.discount.data_ptr<float>();
  std::vector<float> wanted(static_cast<size_t>(kCritics * count * n));
  float* to = wanted.data();
  for (size_t critic = 0; critic < passes_.size(); ++critic) {
    for (int64_t first = 0; first < count; first += kTogether) {
      const float* seen = x + first * layout_.blocks()[critic].sizes.front();
      const int64_t last = std::min(first + kTogether, count);
      const auto& chances = distribution(critic, target_, seen, last - first);
      for (int64_t r = first; r < last; ++r, to += n) {
        const double base = options_.reward_scale * reward[r] +
                            static_cast<double>(discount[r]) * bonus[static_cast<size_t>(r)];
        project(atoms_, chances.data() + (r - first) * n, base, discount[r], to);
      }
    }
  }
  return wanted;
}

Weighted<Gradients> C51Critics::gradients(const Transitions& rows,
                                          const std::vector<float>& wanted) {
  const int64_t count = rows.reward.size(0);
  auto flat = torch::zeros({layout_.parameters()}, torch::kFloat32);
  if (count == 0) {
    return {{flat, 0.0}, 0.0};
  }
  const float* x = join(spec_, rows.observation, policyActions(spec_, rows.action), joined_);
  const auto share = 1.0f / static_cast<float>(count);
  const float* aim = wanted.data();
  std::vector<float> d_logits;
  double loss = 0;
  for (size_t critic = 0; critic < passes_.size(); ++critic) {
    for (int64_t first = 0; first < count; first += kTogether) {
      const float* seen = x + first * layout_.blocks()[critic].sizes.front();
      const auto& chances =
          distribution(critic, online_, seen, std::min(kTogether, count - first), aim, &loss);
      d_logits.resize(chances.size());
      for (size_t i = 0; i < d_logits.size(); ++i) {
        d_logits[i] = share * (chances[i] - *aim++);
      }
      passes_[critic].backward(online_.data() + offset(critic), seen, d_logits.data(),
                               flat.data_ptr<float>() + offset(critic), /*adds=*/first > 0);
    }
  }
  return {{flat, loss / static_cast<double>(count)}, static_cast<double>(count)};
}

Rating C51Critics::rate(const torch::Tensor& observation, const std::vector<float>& action) {
  const int64_t count = observation.size(0);
  const float* x = join(spec_, observation, action, joined_);
  constexpr float kShare = 1.0f / kCritics;
  const size_t n = atoms_.size();
  Rating rating = {std::vector<float>(static_cast<size_t>(count)),
                   std::vector<float>(action.size())};
  std::vector<float> d_logits(static_cast<size_t>(count) * n);
  std::vector<float> d_x(joined_.size());
  for (size_t critic = 0; critic < passes_.size(); ++critic) {
    const auto& chances = distribution(critic, online_, x, count);
    for (size_t r = 0; r < rating.value.size(); ++r) {
      float value = 0;
      for (size_t i = 0; i < n; ++i) {
        value += chances[r * n + i] * atoms_[i];
      }
      for (size_t i = 0; i < n; ++i) {
        d_logits[r * n + i] = kShare * chances[r * n + i] * (atoms_[i] - value);
      }
      rating.value[r] += kShare * value;
    }
    passes_[critic].inputGradient(online_.data() + offset(critic), d_logits.data(), d_x.data());
    addActions(spec_, d_x, rating.d_action);
  }
  return rating;
}

void C51Critics::apply(const Weighted<Gradients>& gradients) {
  if (options_.weight_decay > 0) {
    decay(online_, options_.lr * options_.weight_decay);
  }
  step(optimizer_, gradients.value, options_.lr, 0, online_);
}

}  // namespace fdg::rl
