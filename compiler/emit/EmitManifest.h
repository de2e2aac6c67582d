// Split program → manifest: everything that fdg-run knows of a plan. docs/manifest.md names the
// fields.
#pragma once

#include <string>

#include "base/Manifest.h"
#include "compiler/read/ReadAnnotations.h"
#include "compiler/read/Toolchain.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

/// `file` is the source as the user named it.
Manifest emitManifest(const Program& program, const Split& split, const Toolchain& toolchain,
                      const std::string& file);

}  // namespace fdg::compiler
