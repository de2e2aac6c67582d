// Source file → AST, with the library's precompiled header.
//
// Function bodies of system headers are skipped: a torch program parses in 1–2 s instead of 12.
// Errors of the user's code, its own headers included, are shown once, as clang shows them. Flags
// that do not fit the precompiled header
// (-O0, -march=native, …) are obeyed: the program is then parsed without it, which is said and is
// slow. The AST lives as long as the ParsedProgram. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "compiler/read/Toolchain.h"

namespace fdg::compiler {

struct ParseOptions {
  std::string file;
  std::vector<std::string> flags;  ///< The user's, after `--`.
  std::string entry;               ///< --entry; empty: what FDG_PROGRAM names.
  bool apply_fixes = false;        ///< --fix: collect fix-its into fixedText().
  std::string text;    ///< Parsed in the place of what the file holds; empty: the file.
  bool again = false;  ///< Was parsed before: warnings are not shown a second time.
};

/// One use of FDG_PROGRAM in the main file.
struct ProgramMark {
  std::string name;                ///< As written: "apex" or "ns::apex".
  clang::SourceLocation location;  ///< Of the macro's name.
};

/// One use of a mark of fdg/marks.h, such as FDG_ROLE, in a file of the user's.
struct AttributeMark {
  std::string name;
  clang::SourceLocation location;  ///< In the file, also where another macro writes it.
};

class ParsedProgram {
 public:
  ~ParsedProgram();
  ParsedProgram(ParsedProgram&&) noexcept;

  clang::CompilerInstance& compiler() const;
  clang::ASTContext& context() const;
  clang::SourceManager& sources() const;
  clang::DiagnosticsEngine& diagnostics() const;

  const ParseOptions& options() const;
  /// All uses of FDG_PROGRAM, in source order. More than one is the reader's to refuse.
  const std::vector<ProgramMark>& marks() const;
  const std::vector<AttributeMark>& attributeMarks() const;
  /// The training function's name: --entry, else that of the only FDG_PROGRAM; empty if there is
  /// none.
  std::string entryName() const;
  /// As --entry: from now on this is the training function, in a file of several programs.
  void chooseEntry(const std::string& name);
  bool usesPrecompiledHeader() const;

  /// Clang found errors, and showed them: there is no program to go on with.
  bool failed() const;

  /// Ends the file: -verify compares its expectations. True if no error was shown (under -verify:
  /// if the diagnostics are exactly the expected ones). Call once, after the last diagnostic.
  bool finish();
  /// The main file with the fix-its of all messages so far that lie in it, outside macros; nothing
  /// if there were none. Other files are left alone. Only with apply_fixes.
  std::optional<std::string> fixedText() const;

 private:
  friend std::unique_ptr<ParsedProgram> parseProgram(const ParseOptions&, const Toolchain&);
  struct State;
  explicit ParsedProgram(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Throws UserError for a file that is missing, empty or not C++, and for flags that clang does not
/// take.
std::unique_ptr<ParsedProgram> parseProgram(const ParseOptions& options,
                                            const Toolchain& toolchain);

}  // namespace fdg::compiler
