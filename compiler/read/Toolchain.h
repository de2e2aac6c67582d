// What programs are compiled and linked with: read from share/fdg/toolchain.json, which the build
// writes.
//
// Found relative to the running fdgc (BUILD/bin/fdgc → BUILD/share/fdg). Throws UserError with the
// way out if it is missing or damaged.
#pragma once

#include <string>
#include <vector>

namespace fdg::compiler {

struct Toolchain {
  std::string clang;  ///< clang++, absolute path.
  std::string header;  ///< What is precompiled.
  std::string precompiled;
  std::vector<std::string> flags;  ///< Of every program, and of the precompiled header.
  std::vector<std::string> link;
  std::string torch_version;
  std::string compiler_version;  ///< "clang 19.1.7"
};

/// `executable` is the path of the running fdgc.
Toolchain readToolchain(const std::string& executable);

/// The user's flags after `--`, told apart.
struct UserFlags {
  std::vector<std::string> compile;
  std::vector<std::string> link;  ///< -l, -L, -Wl,…
  /// Every compile flag leaves language and target alone, so that the precompiled header can be
  /// used.
  bool fit_precompiled_header = true;
};

/// Throws UserError for flags that are fdgc's own (-c, -o, -x, …) and for anything that is not a
/// flag.
UserFlags sortUserFlags(const std::vector<std::string>& flags);

/// Throws UserError if a header of FDG was changed after it was precompiled.
void checkPrecompiledHeader(const Toolchain& toolchain);

}  // namespace fdg::compiler
