// Settings of a prioritized replay (config fields of programs).
#pragma once

#include <cstdint>
#include <string>

namespace fdg::rl {

struct ReplayOptions {
  int64_t capacity = 100'000;       ///< Transitions kept; the oldest is overwritten.
  double alpha = 0.6;               ///< 0: uniform, 1: in proportion to the error.
  double beta = 0.4;                ///< Importance-sampling correction at the start.
  int64_t beta_steps = 0;           ///< Samples until β has grown to 1; 0: stays.
  double epsilon = 1e-6;            ///< Added to every error, so that none is never drawn again.
  std::string normalise = "batch";  ///< Importance weights: batch, buffer or none.
  int64_t soft_limit = 0;           ///< Transitions kept when it is cut back; 0: never.
  int64_t cut_every = 100;          ///< Samples between two cuts back to the soft limit.
  bool frames = false;  ///< Observations are stacks along their first dimension: each frame is
                        ///< stored once.
  int64_t frame_capacity = 0;  ///< Frames kept; 0: what long episodes need.
};

/// Throws UserError that names the field, for what is out of range.
void check(const ReplayOptions& options);

}  // namespace fdg::rl
