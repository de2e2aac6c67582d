#include "algorithms/envs/gym/AreaResize.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/Check.h"

namespace fdg::rl {

/// Which source pixels a pixel is made of, in order, and their shares, which sum to 1.
std::vector<AreaResize::Part> AreaResize::parts(int64_t from, int64_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  std::vector<Part> parts;
  for (int64_t i = 0; i < to; ++i) {
    const double begin = static_cast<double>(i) * scale;
    const double end = std::min(begin + scale, static_cast<double>(from));
    for (auto j = static_cast<int64_t>(begin); j < from && static_cast<double>(j) < end; ++j) {
      const auto left = static_cast<double>(j);
      const double share = (std::min(end, left + 1) - std::max(begin, left)) / (end - begin);
      if (share > 1e-3) {  // else it is rounding
        parts.push_back({j, i, static_cast<float>(share)});
      }
    }
  }
  return parts;
}

AreaResize::AreaResize(int64_t from_height, int64_t from_width, int64_t height, int64_t width)
    : from_width_(from_width),
      width_(width),
      rows_(parts(from_height, height)),
      columns_(parts(from_width, width)),
      line_(static_cast<size_t>(width)),
      sums_(static_cast<size_t>(height * width)) {
  if (height > from_height || width > from_width) {
    throw UserError("an image of " + std::to_string(from_height) + " × " +
                    std::to_string(from_width) + " cannot become one of " + std::to_string(height) +
                    " × " + std::to_string(width));
  }
}

void AreaResize::operator()(std::span<const uint8_t> from, std::span<uint8_t> to) {
  std::ranges::fill(sums_, 0.0f);
  int64_t present = -1;  // the source row in line_
  for (const Part& row : rows_) {
    if (row.from != present) {
      present = row.from;
      std::ranges::fill(line_, 0.0f);
      const uint8_t* pixels = from.data() + row.from * from_width_;
      for (const Part& column : columns_) {
        line_[static_cast<size_t>(column.to)] +=
            static_cast<float>(pixels[column.from]) * column.share;
      }
    }
    float* sums = sums_.data() + row.to * width_;
    for (int64_t x = 0; x < width_; ++x) {
      sums[x] += line_[static_cast<size_t>(x)] * row.share;
    }
  }
  std::ranges::transform(sums_, to.begin(),
                         [](float sum) { return static_cast<uint8_t>(std::lrintf(sum)); });
}

}  // namespace fdg::rl
