// The values that travel between actors, replay and learner of the value-based programs.
#pragma once

#include "fdg/fdg.h"

namespace fdg::rl {

/// Rows of experience: act in `observation`, collect `reward` over k steps, go on from
/// `next_observation` with what it is worth times `discount`.
struct Transitions {
  torch::Tensor observation;  ///< [rows, …]
  torch::Tensor action;       ///< [rows] int64, or [rows, dimensions] float32.
  torch::Tensor reward;       ///< [rows] float32: Σ γ^i r_i over k ≤ n steps.
  torch::Tensor
      next_observation;    ///< [rows, …]; the final observation where an episode was cut off.
  torch::Tensor discount;  ///< [rows] float32: γ^k, 0 where the episode terminated.
};

/// Transitions with the size of their error as the actor saw it: their first priority in the
/// replay.
struct Experience {
  Transitions transitions;
  torch::Tensor error;  ///< [rows] float32, ≥ 0.
};

/// What the actor knew of the step it just acted in.
struct ActedValues {
  torch::Tensor taken;       ///< [rows] Q(s, a) of the action taken.
  torch::Tensor best;        ///< [rows] max Q(s, ·).
  torch::Tensor final_best;  ///< [rows] max Q(final observation, ·) where truncated, else 0.
};

/// Sampled rows with what brings their new priorities home.
struct Batch {
  Transitions transitions;
  torch::Tensor weight;      ///< [rows] float32: importance-sampling weight.
  torch::Tensor index;       ///< [rows] int64: slot in the replay.
  torch::Tensor generation;  ///< [rows] int64: how often the slot had been written.
};

/// New errors of sampled rows.
struct Priorities {
  torch::Tensor index;       ///< [rows] int64
  torch::Tensor generation;  ///< [rows] int64
  torch::Tensor error;       ///< [rows] float32, signed or not.
};

}  // namespace fdg::rl
