#include "base/Check.h"

#include <cstdio>
#include <cstdlib>

namespace fdg {

void checkFailed(std::string_view condition, std::string_view context, const char* file, int line) {
  std::fprintf(stderr,
               "fdg: internal error: %.*s (%.*s) at %s:%d\n"
               "This is a defect of FDG, not of your program; please report it.\n",
               static_cast<int>(context.size()), context.data(), static_cast<int>(condition.size()),
               condition.data(), file, line);
  std::abort();
}

}  // namespace fdg
