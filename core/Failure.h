// An exception → what it says to a person: LibTorch's without the stack of calls,
// unless $TORCH_SHOW_CPP_STACKTRACES is set.
#pragma once

#include <exception>
#include <string>

namespace fdg {

std::string sentenceOf(const std::exception& error);

}  // namespace fdg
