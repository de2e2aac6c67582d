// librarySymbol("libfdg_x.so", symbol) → what that library exports, loaded when first asked for.
//
// For parts that need something heavy or optional (Python, MuJoCo): nothing else depends on it
// being there, and programs that do not use it do not load it. Throws UserError that begins with
// `who` and ends with `remedy`. Any thread; the loader counts, so that it is the same library
// every time.
#pragma once

#include <string>

namespace fdg::rl {

void* librarySymbol(const std::string& who, const std::string& library, const char* symbol,
                    const std::string& remedy);

}  // namespace fdg::rl
