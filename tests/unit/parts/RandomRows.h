// Random rollouts of one environment, with terminations and truncations, for what sums over them.
#pragma once

#include <memory>
#include <vector>

#include "algorithms/parts/Gae.h"
#include "fdg/stream.h"

namespace fdg::rl {

struct RandomRow {
  std::vector<float> reward, value, next_value;
  std::unique_ptr<bool[]> ended;

  int64_t steps() const { return static_cast<int64_t>(reward.size()); }
  GaeInput input() const {
    return {steps(), reward.data(), value.data(), next_value.data(), ended.get()};
  }
};

/// 1 to 20 steps; a quarter of them terminate, a quarter truncate.
inline RandomRow randomRow(Stream& stream) {
  RandomRow row;
  const auto steps = static_cast<size_t>(1 + stream.below(0, 20));
  row.ended = std::make_unique<bool[]>(steps);
  for (size_t t = 0; t < steps; ++t) {
    row.reward.push_back(static_cast<float>(stream.normal()));
    row.value.push_back(static_cast<float>(stream.normal()));
  }
  for (size_t t = 0; t < steps; ++t) {
    const int64_t end = stream.below(0, 4);
    row.ended[t] = end < 2;
    const bool goes_on = !row.ended[t] && t + 1 < steps;
    const auto final_value = end == 0 ? 0.0f : static_cast<float>(stream.normal());
    row.next_value.push_back(goes_on ? row.value[t + 1] : final_value);
  }
  return row;
}

}  // namespace fdg::rl
