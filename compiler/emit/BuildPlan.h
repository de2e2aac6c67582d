// Generated C++ → plan (a shared object with the manifest inside) or sequential executable.
//
// Runs clang with the precompiled header and the linker. The output is written as a whole or not at
// all, and is the same bytes for the same program. Errors that come from the user's own files (a
// helper in a header, a missing library) are the program's; any other failure is ours: the
// generated file is kept and named. One thread; a torch program takes 3–5 s.
#pragma once

#include <string>
#include <vector>

#include "compiler/read/Toolchain.h"

namespace fdg::compiler {

enum class Built { made, program_is_wrong, we_are_wrong };

struct BuildJob {
  std::string source;    ///< The user's file.
  std::string code;      ///< What to compile.
  std::string manifest;  ///< JSON; empty for a sequential executable.
  std::string output;
  std::vector<std::string> flags;  ///< The user's.
};

/// An object that awaits linking; empty path: clang refused the code, which has been said.
struct CompiledCode {
  Built outcome = Built::made;
  std::string object;  ///< Bytes of the object file.
};

CompiledCode compileCode(const BuildJob& job, const Toolchain& toolchain);
Built linkCode(const BuildJob& job, const CompiledCode& code, const Toolchain& toolchain);

}  // namespace fdg::compiler
