#include "algorithms/parts/PrioritizedReplay.h"

#include <algorithm>
#include <cmath>

namespace fdg::rl {
namespace {

ReplayOptions checked(const ReplayOptions& options) {
  if (!(options.alpha >= 0 && options.alpha <= 1 && options.beta >= 0 && options.beta <= 1 &&
        options.epsilon >= 0 && std::isfinite(options.epsilon) && options.beta_steps >= 0)) {
    throw UserError(
        "a prioritized replay needs 0 ≤ alpha ≤ 1, 0 ≤ beta ≤ 1, epsilon ≥ 0 and beta_steps ≥ 0");
  }
  if (options.normalise != "batch" && options.normalise != "buffer" &&
      options.normalise != "none") {
    throw UserError("replay.normalise is batch, buffer or none, not \"" + options.normalise + "\"");
  }
  return options;
}

/// Refuses the whole tensor before anything is changed.
torch::Tensor checkedErrors(const torch::Tensor& errors, int64_t rows) {
  const torch::Tensor plain = errors.to(torch::kFloat32).contiguous();
  if (plain.dim() != 1 || plain.size(0) != rows) {
    throw UserError("priorities need one error per transition: " + std::to_string(rows) +
                    " transitions, " + std::to_string(plain.numel()) + " errors");
  }
  const float* error = plain.data_ptr<float>();
  for (int64_t i = 0; i < rows; ++i) {
    if (!std::isfinite(error[i])) {
      throw UserError("the error at index " + std::to_string(i) + " is " +
                      std::to_string(error[i]) +
                      ": a priority must be finite; the replay is unchanged");
    }
  }
  return plain;
}

}  // namespace

PrioritizedReplay::PrioritizedReplay(const EnvSpec& spec, const ReplayOptions& options,
                                     Stream stream)
    : options_(checked(options)),
      store_(spec, options.capacity),
      tree_(options.capacity, Fold::sum),
      raw_(options.capacity, Fold::maximum),
      least_(options.capacity, Fold::maximum),
      stream_(std::move(stream)) {}

void PrioritizedReplay::setPriorities(const std::vector<int64_t>& slots,
                                      const std::vector<double>& raw) {
  std::vector<double> scaled(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    // New transitions without errors of their own share a priority.
    scaled[i] = i > 0 && raw[i] == raw[i - 1] ? scaled[i - 1] : std::pow(raw[i], options_.alpha);
  }
  tree_.set(slots, scaled);
  raw_.set(slots, raw);
  if (options_.normalise == "buffer") {
    for (double& value : scaled) {
      value = value > 0 ? 1 / value : 0;
    }
    least_.set(slots, scaled);
  }
}

std::vector<int64_t> PrioritizedReplay::store(const Transitions& transitions) {
  const int64_t first = store_.add(transitions);
  std::vector<int64_t> slots(static_cast<size_t>(transitions.reward.size(0)));
  for (size_t i = 0; i < slots.size(); ++i) {
    slots[i] = (first + static_cast<int64_t>(i)) % store_.capacity();
  }
  return slots;
}

void PrioritizedReplay::add(const Experience& experience) {
  const int64_t rows = experience.transitions.reward.size(0);
  const torch::Tensor errors = checkedErrors(experience.error, rows);
  std::vector<double> raw;
  for (int64_t i = 0; i < rows; ++i) {
    raw.push_back(std::abs(static_cast<double>(errors.data_ptr<float>()[i])) + options_.epsilon);
  }
  setPriorities(store(experience.transitions), raw);
}

void PrioritizedReplay::add(const Transitions& transitions) {
  const double highest = store_.size() == 0 ? 1.0 : raw_.total();
  const std::vector<int64_t> slots = store(transitions);
  setPriorities(slots, std::vector<double>(slots.size(), highest));
}

double PrioritizedReplay::beta() const {
  if (options_.beta_steps == 0) {
    return options_.beta;
  }
  const double progress = static_cast<double>(samples_) / static_cast<double>(options_.beta_steps);
  return std::min(1.0, options_.beta + (1 - options_.beta) * progress);
}

std::vector<float> PrioritizedReplay::importance(const std::vector<int64_t>& slots) const {
  std::vector<double> weights;
  const double count = static_cast<double>(store_.size());
  const double power = -beta();
  for (const int64_t slot : slots) {
    weights.push_back(std::pow(count * tree_.get(slot) / tree_.total(), power));
  }
  double largest = 1;
  if (options_.normalise == "batch" && !weights.empty()) {
    largest = *std::ranges::max_element(weights);
  } else if (options_.normalise == "buffer") {
    largest = std::pow(count / least_.total() / tree_.total(), power);
  }
  std::vector<float> result;
  for (const double weight : weights) {
    result.push_back(static_cast<float>(weight / largest));
  }
  return result;
}

Batch PrioritizedReplay::sample(Rows rows) {
  if (store_.size() == 0 && rows.size() > 0) {
    throw UserError("the replay is empty: wait until transitions are stored before sampling");
  }
  if (tree_.total() <= 0 && rows.size() > 0) {
    throw UserError("every transition in the replay has priority 0; set replay.epsilon above 0");
  }
  std::vector<double> masses;
  const double part = tree_.total() / static_cast<double>(std::max<int64_t>(rows.size(), 1));
  for (int64_t i = 0; i < rows.size(); ++i) {
    masses.push_back((static_cast<double>(i) + stream_.uniform(rows.begin + i)) * part);
  }
  std::vector<int64_t> slots(masses.size());
  tree_.find(masses, slots);
  std::vector<int64_t> generations;
  for (const int64_t slot : slots) {
    generations.push_back(store_.generation(slot));
  }
  const std::vector<float> weights = importance(slots);
  ++samples_;
  auto weight = torch::empty({rows.size()}, torch::kFloat32);
  std::ranges::copy(weights, weight.data_ptr<float>());
  return {store_.gather(slots), weight, integers(slots), integers(generations)};
}

void PrioritizedReplay::update(const Priorities& priorities) {
  const auto index = priorities.index.contiguous();
  const auto generation = priorities.generation.contiguous();
  const torch::Tensor errors = checkedErrors(priorities.error, index.size(0));
  for (int64_t i = 0; i < index.size(0); ++i) {
    const int64_t slot = index.data_ptr<int64_t>()[i];
    if (slot < 0 || slot >= store_.size()) {
      throw UserError("a priority update names slot " + std::to_string(slot) +
                      ", but the replay holds " + std::to_string(store_.size()) + " transitions");
    }
  }
  std::vector<int64_t> slots;
  std::vector<double> raw;
  for (int64_t i = 0; i < index.size(0); ++i) {
    const int64_t slot = index.data_ptr<int64_t>()[i];
    if (generation.data_ptr<int64_t>()[i] != store_.generation(slot)) {
      ++dropped_;
      continue;
    }
    slots.push_back(slot);
    raw.push_back(std::abs(static_cast<double>(errors.data_ptr<float>()[i])) + options_.epsilon);
  }
  setPriorities(slots, raw);
}

}  // namespace fdg::rl
