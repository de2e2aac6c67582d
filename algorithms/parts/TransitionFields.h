// Transitions as fields of plain bytes, for stores that know nothing of tensors.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "algorithms/envs/VectorEnv.h"
#include "algorithms/parts/FrameMessages.h"
#include "algorithms/parts/PrioritizedRows.h"
#include "algorithms/parts/Transitions.h"

namespace fdg::rl {

/// Observation, action, reward, next observation, discount. `frames`: observations are stacks along
/// their first dimension; throws UserError if they have none to spare.
std::vector<RowField> transitionFields(const EnvSpec& spec, bool frames);
/// Memory for so many transitions, not initialised.
Transitions emptyTransitions(const EnvSpec& spec, int64_t rows);
/// The same rows, contiguous. Throws UserError if they do not fit the environment.
Transitions checkedTransitions(const EnvSpec& spec, const Transitions& transitions);
FrameMessage checkedMessage(const EnvSpec& spec, const FrameMessage& message);

std::array<const std::byte*, 5> readable(const Transitions& transitions);
std::array<std::byte*, 5> writable(Transitions& transitions);

/// Memory that is not a tensor as one, without a copy, to be saved.
torch::Tensor tensorOf(const SharedBytes& memory);
/// What was saved so. Throws UserError if it is something else.
std::span<const std::byte> bytesOf(const torch::Tensor& saved);

/// Slots and their generations as a value's tensors.
torch::Tensor integers(const std::vector<int64_t>& values);

}  // namespace fdg::rl
