// AreaResize: a grey image → a smaller one, each pixel the mean of the area that it covers,
// rounded; as OpenCV's INTER_AREA. Not thread-safe: holds what is between the two directions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fdg::rl {

class AreaResize {
 public:
  /// No side may grow; throws UserError.
  AreaResize(int64_t from_height, int64_t from_width, int64_t height, int64_t width);

  /// Both [height, width].
  void operator()(std::span<const uint8_t> from, std::span<uint8_t> to);

 private:
  struct Part {
    int64_t from, to;
    float share;
  };
  static std::vector<Part> parts(int64_t from, int64_t to);

  int64_t from_width_, width_;
  std::vector<Part> rows_, columns_;
  std::vector<float> line_;  // of the source, as wide as the result
  std::vector<float> sums_;
};

}  // namespace fdg::rl
