// Limits: what a number that a user sets may be, told by the name under which it is set.
//
//   const Limits dqn("dqn");
//   dqn.part("lr", options.lr);  // throws ConfigError "dqn.lr is 2; it must be above 0 and at …"
//
// Every struct of options has a `check` beside it that asks this of all its fields; what is made
// with options takes them through `checked`. NaN and infinity are never allowed, and every number
// has a largest value. Costs nothing that counts; pure.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "base/ConfigError.h"

namespace fdg::rl {

class Limits {
 public:
  static constexpr int64_t kMost = int64_t{1} << 31;     ///< Of what takes memory.
  static constexpr int64_t kForever = int64_t{1} << 50;  ///< Of steps and the like.
  /// Of a factor: no program means more, and float32 would overflow further on.
  static constexpr double kLargest = 1e6;
  static constexpr int64_t kWidestLayer = int64_t{1} << 20;

  /// The name of the config's field that holds the options; none for fields of the config itself.
  explicit Limits(const std::string& group = "") : prefix_(group.empty() ? "" : group + ".") {}

  void above(const char* field, double value, double limit, double most = kLargest) const {
    need(value > limit && value <= most, field, value,
         "above " + text(limit) + " and at most " + text(most));
  }
  void within(const char* field, double value, double least, double most) const {
    need(value >= least && value <= most, field, value, text(least) + " to " + text(most));
  }
  /// A part of a whole, but not nothing.
  void part(const char* field, double value) const { above(field, value, 0, 1); }
  /// A weight, a clip, a scale.
  void factor(const char* field, double value) const { within(field, value, 0, kLargest); }
  /// How much is kept of a running mean.
  void decay(const char* field, double value) const {
    need(value >= 0 && value < 1, field, value, "at least 0 and below 1");
  }
  void count(const char* field, int64_t value, int64_t least, int64_t most = kMost) const {
    need(value >= least, field, value, "at least " + text(least));
    need(value <= most, field, value, "at most " + text(most));
  }
  void layers(const char* field, const std::vector<int64_t>& sizes) const {
    std::string all;
    for (const int64_t size : sizes) {
      all += (all.empty() ? "" : ",") + text(size);
    }
    for (const int64_t size : sizes) {
      if (size < 1 || size > kWidestLayer) {
        refuse(field, all, "1 to " + text(kWidestLayer) + " for each layer");
      }
    }
  }
  void word(const char* field, const std::string& value,
            std::initializer_list<const char*> allowed) const {
    std::string all;
    for (const char* each : allowed) {
      if (value == each) {
        return;
      }
      const char* joint = each == *(allowed.end() - 1) ? " or " : ", ";
      all += (all.empty() ? "" : joint) + std::string(each);
    }
    refuse(field, "\"" + value + "\"", all);
  }
  /// For what only two fields together say.
  [[noreturn]] void refuse(const char* field, const std::string& value,
                           const std::string& allowed) const {
    throw ConfigError(prefix_ + field + " is " + value + "; it must be " + allowed);
  }

  /// So many things of so many bytes each are within what memory can have addresses for.
  static constexpr bool fitsMemory(int64_t count, size_t bytes) {
    constexpr size_t kAddresses = size_t{1} << 47;
    return bytes <= kAddresses / static_cast<size_t>(count);
  }
  /// The shortest text that is this number and no other.
  template <class Number>
  static std::string text(Number number) {
    if constexpr (std::is_floating_point_v<Number>) {
      if (std::abs(number) < 1e15 && number == std::trunc(number)) {
        return text(static_cast<int64_t>(number));  // 1000000, not 1e+06
      }
    }
    char buffer[64];
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
  }

 private:
  template <class Number>
  void need(bool holds, const char* field, Number value, const std::string& allowed) const {
    if (!holds) {
      refuse(field, text(value), allowed);
    }
  }

  std::string prefix_;
};

/// The same options, after their `check`.
template <class Options>
const Options& checked(const Options& options) {
  check(options);
  return options;
}

}  // namespace fdg::rl
