// AST → what the program says about itself: training function, config struct, annotations.
//
// Refuses: what FindEntry and ReadConfig refuse, an annotation whose operation is unknown or which
// names anything but local variables whose types may cross.
// Every refusal has been shown when nullopt comes back; the steps behind this one may rely on what
// is here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/Manifest.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "compiler/read/Diagnostics.h"
#include "compiler/read/ParseProgram.h"
#include "compiler/read/ReadConfig.h"

namespace fdg::compiler {

/// The statement `fdg::partition(operation, values…);`
struct Annotation {
  const clang::CallExpr* call = nullptr;
  OperationKind operation = OperationKind::gather;
  bool loose = false;
  std::vector<const clang::ValueDecl*> values;        ///< VarDecl or BindingDecl, all local.
  std::vector<const clang::DeclRefExpr*> references;  ///< Where the call names them.
};

struct Program {
  clang::ASTContext* context = nullptr;
  const clang::FunctionDecl* entry = nullptr;
  const clang::ParmVarDecl* run = nullptr;
  const clang::ParmVarDecl* config = nullptr;
  const clang::CXXRecordDecl* config_type = nullptr;
  std::vector<SettableField> config_fields;
  /// By whole statement (the annotation as a statement of a block).
  std::map<const clang::Stmt*, Annotation> annotations;

  const clang::SourceManager& sources() const { return context->getSourceManager(); }
  /// Line of a statement or place, as the user sees it.
  int line(clang::SourceLocation place) const;
  /// Source text of a whole statement or expression on one line, shortened to `limit` characters.
  std::string text(const clang::Stmt* stmt, size_t limit = 60) const;
  /// All of it comes out of one use of a macro: a control statement is then one statement for the
  /// split (TORCH_CHECK, assert).
  bool isOneMacro(const clang::Stmt* stmt) const;
};

/// The training function is the one that --entry or the only FDG_PROGRAM names; without either, the
/// only function of the main file with the signature of one.
std::optional<Program> readAnnotations(const ParsedProgram& parsed, Diagnostics& diagnostics);

}  // namespace fdg::compiler
