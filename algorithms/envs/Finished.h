// The episodes that ended in one step, summed in row order.
#pragma once

#include <cstdint>

#include "fdg/fdg.h"

namespace fdg::rl {

struct Finished {
  double returns = 0;
  double lengths = 0;
  int64_t episodes = 0;

  void add(double episode_return, int64_t length) {
    returns += episode_return;
    lengths += static_cast<double>(length);
    ++episodes;
  }

  Weighted<double> mean(double sum) const {
    const auto count = static_cast<double>(episodes);
    return {episodes == 0 ? 0.0 : sum / count, count};
  }
};

}  // namespace fdg::rl
