// How a program is compiled → compile_commands.json, which clangd and other editor tools read.
//
// The header is not the precompiled one, so that any version of such a tool can use the entry.
// Entries of other files in an existing compile_commands.json are kept. Throws UserError if
// `existing` is no such file. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "compiler/read/Toolchain.h"

namespace fdg::compiler {

/// `file` and `folder` are absolute; `existing` is the file's text so far, empty if there is none.
std::string compileCommands(const std::string& file, const std::string& folder,
                            const UserFlags& flags, const Toolchain& toolchain,
                            const std::string& existing);

}  // namespace fdg::compiler
