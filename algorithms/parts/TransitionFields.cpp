#include "algorithms/parts/TransitionFields.h"

#include <algorithm>

#include "algorithms/envs/FreshTensor.h"
#include "base/ConfigError.h"

namespace fdg::rl {
namespace {

torch::Tensor empty(const std::vector<int64_t>& shape, int64_t rows, torch::ScalarType type) {
  std::vector<int64_t> sizes = {rows};
  sizes.insert(sizes.end(), shape.begin(), shape.end());
  return freshTensor(sizes, type);
}

torch::Tensor checkedField(const torch::Tensor& rows, int64_t count,
                           const std::vector<int64_t>& shape, torch::ScalarType type) {
  if (!rows.defined() || rows.dim() != static_cast<int64_t>(shape.size()) + 1 ||
      rows.size(0) != count || rows.sizes().slice(1) != shape || rows.scalar_type() != type) {
    throw UserError(
        "transitions do not fit the replay: every field needs one row per transition, with the "
        "shape and type that the environment's spec says");
  }
  return rows.contiguous();
}

}  // namespace

std::vector<RowField> transitionFields(const EnvSpec& spec, bool frames) {
  Transitions one = emptyTransitions(spec, 1);
  std::vector<RowField> fields;
  for (const torch::Tensor* field :
       {&one.observation, &one.action, &one.reward, &one.next_observation, &one.discount}) {
    fields.push_back({.bytes = field->nbytes()});
  }
  if (frames) {
    if (spec.observation_shape.size() < 2) {
      throw ConfigError("replay.frames is for observations that are stacks of frames; those of " +
                        spec.name + " have " + std::to_string(spec.observation_shape.size()) +
                        " dimensions");
    }
    fields[0].frames = fields[3].frames = spec.observation_shape.front();
  }
  return fields;
}

Transitions emptyTransitions(const EnvSpec& spec, int64_t rows) {
  return {
      empty(spec.observation_shape, rows, spec.observation_type),
      spec.discrete ? empty({}, rows, torch::kInt64) : empty({spec.actions}, rows, torch::kFloat32),
      empty({}, rows, torch::kFloat32), empty(spec.observation_shape, rows, spec.observation_type),
      empty({}, rows, torch::kFloat32)};
}

Transitions checkedTransitions(const EnvSpec& spec, const Transitions& t) {
  const int64_t count = t.reward.defined() && t.reward.dim() > 0 ? t.reward.size(0) : 0;
  const auto number = [&](const torch::Tensor& field) {
    return checkedField(field, count, {}, torch::kFloat32);
  };
  const auto observation = [&](const torch::Tensor& field) {
    return checkedField(field, count, spec.observation_shape, spec.observation_type);
  };
  return {observation(t.observation),
          spec.discrete ? checkedField(t.action, count, {}, torch::kInt64)
                        : checkedField(t.action, count, {spec.actions}, torch::kFloat32),
          number(t.reward), observation(t.next_observation), number(t.discount)};
}

FrameMessage checkedMessage(const EnvSpec& spec, const FrameMessage& m) {
  EnvSpec places = spec;
  places.observation_shape = {spec.observation_shape.front()};
  places.observation_type = torch::kInt32;
  const Transitions t = checkedTransitions(
      places, {m.observation, m.action, m.reward, m.next_observation, m.discount});
  const std::vector<int64_t> frame(spec.observation_shape.begin() + 1,
                                   spec.observation_shape.end());
  const int64_t count = m.frames.defined() && m.frames.dim() > 0 ? m.frames.size(0) : 0;
  return {checkedField(m.frames, count, frame, spec.observation_type),
          t.observation,
          t.action,
          t.reward,
          t.next_observation,
          t.discount,
          m.error};
}

std::array<const std::byte*, 5> readable(const Transitions& t) {
  const auto bytes = [](const torch::Tensor& field) {
    return static_cast<const std::byte*>(field.const_data_ptr());
  };
  return {bytes(t.observation), bytes(t.action), bytes(t.reward), bytes(t.next_observation),
          bytes(t.discount)};
}

std::array<std::byte*, 5> writable(Transitions& t) {
  const auto bytes = [](torch::Tensor& field) {
    return static_cast<std::byte*>(field.mutable_data_ptr());
  };
  return {bytes(t.observation), bytes(t.action), bytes(t.reward), bytes(t.next_observation),
          bytes(t.discount)};
}

torch::Tensor tensorOf(const SharedBytes& memory) {
  return torch::from_blob(
      memory.bytes.data(), {static_cast<int64_t>(memory.bytes.size())},
      [owner = memory.owner](void*) {}, torch::kByte);
}

std::span<const std::byte> bytesOf(const torch::Tensor& saved) {
  checkSaved(saved.defined() && saved.scalar_type() == torch::kByte && saved.is_contiguous(),
             "rows, which are not bytes");
  return {static_cast<const std::byte*>(saved.const_data_ptr()), saved.nbytes()};
}

torch::Tensor integers(const std::vector<int64_t>& values) {
  torch::Tensor t = freshTensor({static_cast<int64_t>(values.size())}, torch::kInt64);
  std::ranges::copy(values, t.data_ptr<int64_t>());
  return t;
}

}  // namespace fdg::rl
