#include "algorithms/parts/ReplayOptions.h"

#include <cmath>

#include "base/Check.h"

namespace fdg::rl {

ReplayOptions checkedOptions(const ReplayOptions& options) {
  if (options.capacity < 1) {
    throw UserError("a replay needs a capacity of at least 1, not " +
                    std::to_string(options.capacity));
  }
  if (!(options.alpha >= 0 && options.alpha <= 1 && options.beta >= 0 && options.beta <= 1 &&
        options.epsilon >= 0 && std::isfinite(options.epsilon) && options.beta_steps >= 0)) {
    throw UserError(
        "a prioritized replay needs 0 ≤ alpha ≤ 1, 0 ≤ beta ≤ 1, epsilon ≥ 0 and beta_steps ≥ 0");
  }
  if (options.normalise != "batch" && options.normalise != "buffer" &&
      options.normalise != "none") {
    throw UserError("replay.normalise is batch, buffer or none, not \"" + options.normalise + "\"");
  }
  if (options.soft_limit < 0 || options.soft_limit > options.capacity || options.cut_every < 1) {
    throw UserError("replay.soft_limit must be between 0 and the capacity, cut_every at least 1");
  }
  return options;
}

}  // namespace fdg::rl
