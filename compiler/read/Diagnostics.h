// Messages for the writer of a program, through Clang's diagnostics: carets, notes, fix-its,
// -verify.
//
// All texts are in compiler/Diagnostics.def. Remarks are shown with -Rfdg only; the warning
// fdg-random is an error with -Werror=fdg-random. One thread.
#pragma once

#include <cstddef>
#include <vector>

#include "clang/Basic/Diagnostic.h"

namespace fdg::compiler {

enum class Message {
#define FDG_MESSAGE(name, level, text) name,
#include "compiler/Diagnostics.def"
#undef FDG_MESSAGE
};

/// The text of a message as it stands in Diagnostics.def.
const char* messageText(Message message);

struct DiagnosticSettings {
  bool show_remarks = false;     ///< -Rfdg
  bool random_is_error = false;  ///< -Werror=fdg-random
};

class Diagnostics {
 public:
  Diagnostics(clang::DiagnosticsEngine& engine, DiagnosticSettings settings);

  /// Starts a message; stream arguments, ranges and fix-its into it.
  clang::DiagnosticBuilder report(clang::SourceLocation place, Message message);
  /// Errors reported through this object so far.
  int errors() const { return errors_; }

 private:
  clang::DiagnosticsEngine& engine_;
  DiagnosticSettings settings_;
  std::vector<unsigned> ids_;
  int errors_ = 0;
};

}  // namespace fdg::compiler
