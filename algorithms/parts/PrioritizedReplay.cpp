#include "algorithms/parts/PrioritizedReplay.h"

namespace fdg::rl {
namespace {

std::vector<double> plainErrors(const torch::Tensor& errors, int64_t rows) {
  if (!errors.defined() || errors.dim() != 1 || errors.size(0) != rows) {
    throw UserError("priorities need one error per transition: " + std::to_string(rows) +
                    " transitions, " + std::to_string(errors.defined() ? errors.numel() : 0) +
                    " errors");
  }
  const torch::Tensor plain = errors.to(torch::kFloat32).contiguous();
  const float* error = plain.data_ptr<float>();
  return {error, error + rows};
}

std::span<const int64_t> plainIntegers(const torch::Tensor& contiguous) {
  return {contiguous.data_ptr<int64_t>(), static_cast<size_t>(contiguous.numel())};
}

}  // namespace

PrioritizedReplay::PrioritizedReplay(const EnvSpec& spec, const ReplayOptions& options,
                                     Stream stream)
    : spec_(spec),
      rows_(std::make_unique<PrioritizedRows>(transitionFields(spec, options.frames), options,
                                              std::move(stream))) {}

void PrioritizedReplay::add(const Experience& experience) {
  const Transitions rows = checkedTransitions(spec_, experience.transitions);
  const int64_t count = rows.reward.size(0);
  const std::vector<double> errors = plainErrors(experience.error, count);
  rows_->add(readable(rows), count, errors);
}

void PrioritizedReplay::add(const Transitions& transitions) {
  const Transitions rows = checkedTransitions(spec_, transitions);
  rows_->add(readable(rows), rows.reward.size(0), {});
}

void PrioritizedReplay::add(const std::vector<FrameMessage>& messages) {
  for (const FrameMessage& message : messages) {
    add(message);
  }
}

void PrioritizedReplay::add(const FrameMessage& message) {
  const FrameMessage rows = checkedMessage(spec_, message);
  const int64_t count = rows.reward.size(0);
  const FrameList list = {static_cast<const std::byte*>(rows.frames.const_data_ptr()),
                          rows.frames.size(0)};
  rows_->add(
      readable({rows.observation, rows.action, rows.reward, rows.next_observation, rows.discount}),
      count, plainErrors(rows.error, count), &list);
}

Batch PrioritizedReplay::sample(Rows rows) {
  Transitions transitions = emptyTransitions(spec_, rows.size());
  const Draws draws = rows_->sample(rows, writable(transitions));
  auto weight = torch::empty({rows.size()}, torch::kFloat32);
  std::ranges::copy(draws.weights, weight.data_ptr<float>());
  return {std::move(transitions), weight, integers(draws.slots), integers(draws.generations)};
}

void PrioritizedReplay::update(const Priorities& priorities) {
  const torch::Tensor index = priorities.index.contiguous();
  const torch::Tensor generation = priorities.generation.contiguous();
  const int64_t count = index.size(0);
  if (generation.numel() != count) {
    throw UserError("priorities need one generation per slot: " + std::to_string(count) +
                    " slots, " + std::to_string(generation.numel()) + " generations");
  }
  rows_->update(plainIntegers(index), plainIntegers(generation),
                plainErrors(priorities.error, count));
}

}  // namespace fdg::rl
