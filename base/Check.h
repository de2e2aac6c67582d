// Our own bugs and the user's mistakes, told apart.
//
// FDG_CHECK states an invariant of ours: when it fails, the defect is in FDG, and the process
// aborts with the place and the context. Never use it on anything a user wrote. UserError carries a
// finished sentence for the person at the keyboard: what is wrong, where, what to do. It is caught
// only at the doors (fdgc, fdg-run, a program's main), printed, and turned into an exit code.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace fdg {

class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void checkFailed(std::string_view condition, std::string_view context,
                              const char* file, int line);

}  // namespace fdg

#define FDG_CHECK(condition, context)                                \
  do {                                                               \
    if (!(condition)) {                                              \
      ::fdg::checkFailed(#condition, (context), __FILE__, __LINE__); \
    }                                                                \
  } while (false)
