// FDG_PROGRAM(train) names the training function of a file. In a plain compile it also gives the
// file a main() that runs it sequentially; fdgc compiles with FDG_PLAN defined and takes the
// function apart.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "fdg/run.h"

namespace fdg {

/// Sees every field of a config struct by its dotted name.
class ConfigVisitor {
 public:
  virtual ~ConfigVisitor() = default;
  virtual void field(const char* name, bool& value) = 0;
  virtual void field(const char* name, int64_t& value) = 0;
  virtual void field(const char* name, double& value) = 0;
  virtual void field(const char* name, std::string& value) = 0;
  virtual void field(const char* name, std::vector<int64_t>& value) = 0;
  virtual void field(const char* name, std::vector<double>& value) = 0;
  /// Other integers and floats go through the widest of their kind, checked for range.
  template <class T>
  requires std::is_arithmetic_v<T>
  void field(const char* name, T& value);
};

/// fdgc specialises it for the program's config struct; without fdgc a program has no settable
/// fields.
template <class Config>
struct ConfigFields {
  static void visit(Config& /*config*/, ConfigVisitor& /*visitor*/) {}
};

/// The sequential main: `prog [--set FIELD=VALUE]… [--seed N] [--out FOLDER] [--quiet]`. Writes
/// log.jsonl and what run.save saves into FOLDER. Returns the exit code.
int sequentialMain(int argc, char** argv, const char* program,
                   const std::function<void(ConfigVisitor&)>& visit,
                   const std::function<void(Run&)>& train);

namespace detail {
/// Throws UserError with what the field takes if an integer is not from `least` to `most`, or a
/// float's size is not 0 or from `least` to `most`.
void checkRange(const char* name, int64_t value, int64_t least, uint64_t most);
void checkRange(const char* name, double value, double least, double most);

template <class Config>
int runSequentially(int argc, char** argv, const char* program,
                    void (*train)(Run&, const Config&)) {
  Config config;
  return sequentialMain(
      argc, argv, program, [&](ConfigVisitor& v) { ConfigFields<Config>::visit(config, v); },
      [&](Run& run) { train(run, config); });
}
}  // namespace detail

template <class T>
requires std::is_arithmetic_v<T>
void ConfigVisitor::field(const char* name, T& value) {
  using Wide = std::conditional_t<std::is_floating_point_v<T>, double, int64_t>;
  const Wide before = static_cast<Wide>(value);
  Wide wide = before;
  field(name, wide);
  if (wide == before || wide != wide) {
    return;  // also what no one could set, such as a default of infinity
  }
  if constexpr (std::is_integral_v<T>) {
    detail::checkRange(name, wide, static_cast<int64_t>(std::numeric_limits<T>::min()),
                       static_cast<uint64_t>(std::numeric_limits<T>::max()));
  } else {
    detail::checkRange(name, wide, static_cast<double>(std::numeric_limits<T>::denorm_min()),
                       static_cast<double>(std::numeric_limits<T>::max()));
  }
  value = static_cast<T>(wide);
}

}  // namespace fdg

// No semicolon is needed behind either; one does no harm.
#define FDG_SEQUENTIAL_MAIN(function)                                       \
  int main(int argc, char** argv) {                                         \
    return ::fdg::detail::runSequentially(argc, argv, #function, function); \
  }

#if defined(FDG_PLAN)
#define FDG_PROGRAM(function) static_assert(true);
#else
#define FDG_PROGRAM(function) FDG_SEQUENTIAL_MAIN(function)
#endif
