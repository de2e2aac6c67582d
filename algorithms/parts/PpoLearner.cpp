#include "algorithms/parts/PpoLearner.h"

#include <algorithm>
#include <cmath>

#include "algorithms/parts/Limits.h"
#include "base/ConfigError.h"

namespace fdg::rl {
namespace {

/// A copy of all tensors: what was received may lie over a carrier's memory.
Rollout copied(const Rollout& rollout) {
  Rollout copy = rollout;
  value::forEachTensor(copy, [](torch::Tensor& t) { t = t.contiguous().clone(); });
  return copy;
}

}  // namespace

/// One sample of a minibatch.
struct PpoLearner::Sample {
  int64_t at;           ///< Within the learner's rows × time.
  const float* output;  ///< Logits or means.
  float value;          ///< By the present critic.
  float old_log_prob;   ///< As it was when acting.
  float old_value;
  float advantage;  ///< Normalised.
  double share;     ///< 1 / samples of the minibatch on this replica.
};

std::string actorCritic(const EnvSpec& spec, const PpoOptions& options) {
  return actorCriticLayout(spec, checked(options).hidden, options.activation,
                           options.normalise_observations)
      .text();
}

double Moments::mean() const { return count > 0 ? sum / count : 0; }

double Moments::deviation() const {
  if (count < 2) {
    return 0;
  }
  return std::sqrt(std::max(0.0, (squares - sum * sum / count) / (count - 1)));
}

PpoLearner::PpoLearner(const EnvSpec& spec, Rows rows, int64_t minibatches,
                       const PpoOptions& options, Stream stream)
    : PpoLearner(spec, rows, minibatches, actorCritic(spec, options), options, std::move(stream)) {}

PpoLearner::PpoLearner(const EnvSpec& spec, Rows rows, int64_t minibatches,
                       const std::string& networks, const PpoOptions& options, Stream stream)
    : spec_(spec),
      rows_(rows),
      minibatches_(minibatches),
      options_(checked(options)),
      layout_(NetworkLayout::parse(networks)),
      actor_(layout_, "actor", spec.observationSize()),
      critic_(layout_, "critic", spec.observationSize()),
      head_(spec, layout_),
      stream_(std::move(stream)),
      parameters_(initActorCritic(layout_, options.initial_log_std, stream_)),
      optimizer_(layout_.parameters(), 1e-5),
      gradients_({layout_.parameters()}, torch::kFloat32),
      scaled_(layout_),
      observed_(spec.observationSize()),
      returns_(static_cast<size_t>(rows.size())),
      rate_(options.lr) {
  Limits().count("minibatches", minibatches, 1);
  if (options.normalise_observations && !scaled_.scales()) {
    throw ConfigError(
        "ppo.normalise_observations is for the networks of one agent; those of several do not "
        "have it yet");
  }
}

void PpoLearner::begin(const Rollout& rollout, double progress) {
  if (rollout.reward.size(0) != rows_.size()) {
    throw UserError("the learner was made for " + std::to_string(rows_.size()) +
                    " rows and got a rollout of " + std::to_string(rollout.reward.size(0)));
  }
  data_ = copied(rollout);
  steps_ = data_.reward.size(1);
  const int64_t samples = steps_ * rows_.total / critic_.together();
  if (samples < minibatches_) {
    throw UserError("a rollout of " + std::to_string(samples) + " samples cannot be dealt into " +
                    std::to_string(minibatches_) + " minibatches");
  }
  if (options_.scale_rewards) {
    scaleRewards();
  }
  advantage_ = advantagesOf(data_, options_.gamma, options_.lambda);
  rate_ = options_.lr * (options_.anneal ? 1 - progress : 1);
}

void PpoLearner::scaleRewards() {
  rollout_returns_.resize(static_cast<size_t>(data_.reward.numel()));
  const double scale = 1 / returned_.deviation(0);
  float* reward = data_.reward.data_ptr<float>();
  const bool* ended = data_.ended.data_ptr<bool>();
  for (int64_t at = 0; at < data_.reward.numel(); ++at) {
    float& sum = returns_[static_cast<size_t>(at / steps_)];
    sum = static_cast<float>(options_.gamma * sum) + reward[at];
    rollout_returns_[static_cast<size_t>(at)] = sum;
    sum = ended[at] ? 0 : sum;
    reward[at] = static_cast<float>(std::clamp(reward[at] * scale, -10.0, 10.0));
  }
}

torch::Tensor PpoLearner::seen() const {
  std::vector<torch::Tensor> sums = {torch::empty({0}, torch::kFloat64)};
  if (scaled_.scales()) {
    sums.push_back(observed_.sums(data_.observation.data_ptr<float>(), data_.reward.numel()));
  }
  if (options_.scale_rewards) {
    sums.push_back(returned_.sums(rollout_returns_.data(), data_.reward.numel()));
  }
  return torch::cat(sums);
}

void PpoLearner::absorb(const torch::Tensor& seen) {
  const int64_t returns = options_.scale_rewards ? 3 : 0;
  if (scaled_.scales()) {
    observed_.absorb(seen.slice(0, 0, seen.size(0) - returns));
    scaled_.load(observed_, parameters_);
  }
  if (options_.scale_rewards) {
    returned_.absorb(seen.slice(0, seen.size(0) - returns));
  }
}

void PpoLearner::shuffle() {
  order_ = stream_.permutation(0, rows_.total / critic_.together() * steps_);
}

std::vector<int64_t> PpoLearner::samplesOf(int64_t minibatch) const {
  const auto all = static_cast<int64_t>(order_.size());
  const int64_t agents = critic_.together();
  const int64_t first = rows_.begin / agents * steps_;
  const int64_t last = rows_.end / agents * steps_;
  std::vector<int64_t> samples;
  samples.reserve(static_cast<size_t>((all / minibatches_ + 1) * agents));
  for (int64_t i = all * minibatch / minibatches_; i < all * (minibatch + 1) / minibatches_; ++i) {
    const int64_t sample = order_[static_cast<size_t>(i)];
    if (sample < first || sample >= last) {
      continue;
    }
    if (agents == 1) {
      samples.push_back(sample - first);
      continue;
    }
    const int64_t row = (sample - first) / steps_ * agents;
    for (int64_t agent = 0; agent < agents; ++agent) {
      samples.push_back((row + agent) * steps_ + (sample - first) % steps_);
    }
  }
  return samples;
}

Moments PpoLearner::moments(int64_t minibatch) const {
  Moments moments;
  for (const int64_t sample : samplesOf(minibatch)) {
    const double advantage = advantage_[static_cast<size_t>(sample)];
    moments.count += 1;
    moments.sum += advantage;
    moments.squares += advantage * advantage;
  }
  return moments;
}

void PpoLearner::gatherObservations(const std::vector<int64_t>& samples) {
  const int64_t inputs = spec_.observationSize();
  observations_.resize(samples.size() * static_cast<size_t>(inputs));
  const float* from = data_.observation.data_ptr<float>();
  float* to = observations_.data();
  for (const int64_t sample : samples) {
    to = std::copy_n(from + sample * inputs, inputs, to);
  }
}

Weighted<Gradients> PpoLearner::gradients(int64_t minibatch, const Moments& moments) {
  const std::vector<int64_t> samples = samplesOf(minibatch);
  const auto count = static_cast<int64_t>(samples.size());
  torch::Tensor flat = gradients_.take();
  // Not torch::zeros, which wakes several threads for a tensor of some size.
  std::fill_n(flat.data_ptr<float>(), flat.numel(), 0.0f);
  if (count == 0) {
    return {{flat, 0.0}, 0.0};
  }
  gatherObservations(samples);
  head_.load(parameters_.data());
  const float* seen = scaled_.of(parameters_.data(), observations_.data(), count);
  const auto output = actor_.forward(parameters_.data(), seen, count);
  const auto value = critic_.forward(parameters_.data(), seen, count);
  float* gradient = flat.data_ptr<float>();
  std::vector<float> d_output(output.size());
  std::vector<float> d_value(value.size());
  const bool normalise = options_.normalise_advantages && moments.count > 1;
  const double mean = normalise ? moments.mean() : 0;
  const double deviation = normalise ? moments.deviation() + 1e-8 : 1;
  const float* old_log_prob = data_.log_prob.data_ptr<float>();
  const float* old_value = data_.value.data_ptr<float>();
  double loss = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto s = static_cast<size_t>(i);
    const int64_t at = samples[s];
    const double advantage = (advantage_[static_cast<size_t>(at)] - mean) / deviation;
    const Sample sample = {.at = at,
                           .output = output.data() + i * spec_.actions,
                           .value = value[s],
                           .old_log_prob = old_log_prob[at],
                           .old_value = old_value[at],
                           .advantage = static_cast<float>(advantage),
                           .share = 1.0 / static_cast<double>(count)};
    loss += policyLoss(sample, d_output.data() + i * spec_.actions, gradient);
    loss += valueLoss(sample, &d_value[s]);
  }
  actor_.backward(parameters_.data(), seen, d_output.data(), gradient);
  critic_.backward(parameters_.data(), seen, d_value.data(), gradient);
  return {{flat, loss}, static_cast<double>(count)};
}

namespace {

/// The clipped surrogate: its loss and the derivative by the action's log probability.
struct Surrogate {
  double loss;
  double d_log_prob;
};

Surrogate surrogate(double log_ratio, double advantage, double clip) {
  const double ratio = std::exp(log_ratio);
  const double plain = -advantage * ratio;
  const double clipped = -advantage * std::clamp(ratio, 1 - clip, 1 + clip);
  return {std::max(plain, clipped), plain >= clipped ? plain : 0.0};
}

}  // namespace

double PpoLearner::policyLoss(const Sample& sample, float* d_output, float* gradient) const {
  const ActionTaken taken = {sample.output, data_.action, sample.at};
  const Likelihood now = head_.likelihood(taken);
  const Surrogate policy =
      surrogate(now.log_prob - sample.old_log_prob, sample.advantage, options_.clip);
  const double weight = options_.entropy_weight;
  head_.backward(taken, now, {sample.share, policy.d_log_prob, weight}, d_output, gradient);
  return sample.share * (policy.loss - weight * now.entropy);
}

double PpoLearner::valueLoss(const Sample& sample, float* d_output) const {
  const double old = sample.old_value;
  const double wanted = old + advantage_[static_cast<size_t>(sample.at)];
  const double error = sample.value - wanted;
  double loss = error * error;
  double derivative = error;
  if (options_.value_clip > 0) {
    const double moved = sample.value - old;
    const double bounded = std::clamp(moved, -options_.value_clip, options_.value_clip);
    const double clipped_error = old + bounded - wanted;
    if (clipped_error * clipped_error > loss) {
      loss = clipped_error * clipped_error;
      derivative = bounded == moved ? clipped_error : 0;
    }
  }
  *d_output = static_cast<float>(sample.share * options_.value_weight * derivative);
  return sample.share * options_.value_weight * 0.5 * loss;
}

void PpoLearner::apply(const Weighted<Gradients>& gradients) {
  step(optimizer_, gradients.value, rate_, options_.grad_clip, parameters_);
  loss_ = gradients.value.loss;
}

}  // namespace fdg::rl
