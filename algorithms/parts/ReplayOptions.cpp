#include "algorithms/parts/ReplayOptions.h"

#include "algorithms/parts/Limits.h"

namespace fdg::rl {

void check(const ReplayOptions& options) {
  const Limits replay("replay");
  replay.count("capacity", options.capacity, 1);
  replay.within("alpha", options.alpha, 0, 1);
  replay.within("beta", options.beta, 0, 1);
  replay.count("beta_steps", options.beta_steps, 0, Limits::kForever);
  replay.factor("epsilon", options.epsilon);
  replay.word("normalise", options.normalise, {"batch", "buffer", "none"});
  replay.count("soft_limit", options.soft_limit, 0);
  if (options.soft_limit > options.capacity) {
    replay.refuse("soft_limit", Limits::text(options.soft_limit),
                  "at most replay.capacity, " + Limits::text(options.capacity));
  }
  replay.count("cut_every", options.cut_every, 1, Limits::kForever);
  replay.count("frame_capacity", options.frame_capacity, 0);
}

}  // namespace fdg::rl
