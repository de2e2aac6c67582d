#include "core/Failure.h"

#include <c10/util/Exception.h>

#include <cstdlib>

namespace fdg {

std::string sentenceOf(const std::exception& error) {
  const auto* by_torch = dynamic_cast<const c10::Error*>(&error);
  const bool wants_stack = std::getenv("TORCH_SHOW_CPP_STACKTRACES") != nullptr;
  return by_torch == nullptr || wants_stack ? error.what() : by_torch->what_without_backtrace();
}

}  // namespace fdg
