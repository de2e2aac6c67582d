#include "fdg/stream.h"

#include <cmath>
#include <numbers>
#include <numeric>

namespace fdg {
namespace {

double toUnit(uint32_t high, uint32_t low) {
  const uint64_t bits = (uint64_t{high} << 32 | low) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

}  // namespace

Stream::Stream(uint64_t seed, std::string_view name) : key_(hashName(seed, name)) {}

PhiloxBlock Stream::next(int64_t row) {
  const auto index = static_cast<size_t>(row);
  if (index >= counters_.size()) {
    counters_.resize(index + 1);
  }
  return philox(key_, index, counters_[index]++);
}

uint64_t Stream::bits(int64_t row) {
  const PhiloxBlock block = next(row);
  return uint64_t{block[0]} << 32 | block[1];
}

double Stream::uniform(int64_t row) {
  const PhiloxBlock block = next(row);
  return toUnit(block[0], block[1]);
}

double Stream::uniform(int64_t row, double low, double high) {
  return low + (high - low) * uniform(row);
}

double Stream::normal(int64_t row) {
  const PhiloxBlock block = next(row);
  const double radius = std::sqrt(-2.0 * std::log(1.0 - toUnit(block[0], block[1])));
  return radius * std::cos(2.0 * std::numbers::pi * toUnit(block[2], block[3]));
}

int64_t Stream::below(int64_t row, int64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<int64_t>(static_cast<Wide>(bits(row)) * static_cast<Wide>(n) >> 64);
}

std::vector<int64_t> Stream::permutation(int64_t row, int64_t n) {
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = n - 1; i > 0; --i) {
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(below(row, i + 1))]);
  }
  return order;
}

void Stream::fillUniform(int64_t row, std::span<float> out, float low, float high) {
  for (float& value : out) {
    value = static_cast<float>(uniform(row, low, high));
  }
}

void Stream::fillNormal(int64_t row, std::span<float> out) {
  for (float& value : out) {
    value = static_cast<float>(normal(row));
  }
}

}  // namespace fdg
