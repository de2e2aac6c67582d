// AST nodes → the text that the user wrote for them.
//
// Whole statements with their semicolon, conditions, declarations: comments inside, macros and line
// breaks stay as they are. Nothing is ever printed from the AST. A statement that is part of a
// larger macro gives the text of the whole macro use. One thread; cheap.
#pragma once

#include <string>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace fdg::compiler {

/// Text of the main file with the line it begins on.
struct Piece {
  std::string text;
  int line = 0;
};

/// Offsets into the main file, end exclusive.
struct TextRange {
  unsigned begin = 0;
  unsigned end = 0;
};

class SourceText {
 public:
  explicit SourceText(const clang::ASTContext& context) : context_(context) {}

  /// An expression or declaration without anything behind it.
  Piece exact(clang::SourceRange range) const;
  Piece exact(const clang::Stmt* stmt) const { return exact(stmt->getSourceRange()); }
  /// A whole statement, with its semicolon. `coroutine`: returns of the function become co_return.
  Piece statement(const clang::Stmt* stmt, bool coroutine = false) const;
  /// A declaration statement without `const` in its specifiers and without the semicolon.
  Piece withoutConst(const clang::DeclStmt* declaration) const;
  /// A range that begins with the specifiers of a variable, without `const` in front of its name.
  Piece withoutConst(TextRange range, const clang::ValueDecl* variable) const;

  TextRange range(clang::SourceRange range) const;
  /// With the semicolon, if the statement has one.
  TextRange wholeStatement(const clang::Stmt* stmt) const;
  unsigned offset(clang::SourceLocation location) const;
  int lineOf(unsigned offset) const;
  /// The blanks that the line of an offset begins with.
  std::string indentOf(unsigned offset) const;
  /// The end of the line if nothing but a comment stands behind the offset, else the offset.
  unsigned behindComment(unsigned offset) const;
  /// The whole main file.
  llvm::StringRef file() const;

 private:
  clang::CharSourceRange fileRange(clang::SourceRange range) const;

  const clang::ASTContext& context_;
};

/// A C++ spelling of the type that is valid in the training function's scope, without const or
/// reference.
std::string spelledType(clang::QualType type, const clang::ASTContext& context);

/// A text that means the same on one line.
bool canMove(llvm::StringRef text);

/// Changes to a text, each at an offset, applied in one go. Insertions at one offset keep their
/// order.
class TextEdits {
 public:
  void insert(unsigned offset, std::string text) { replace({offset, offset}, std::move(text)); }
  void replace(TextRange range, std::string text) { edits_.push_back({range, std::move(text)}); }
  /// The part `range` of `text` with the edits inside it.
  std::string apply(llvm::StringRef text, TextRange range) const;

 private:
  struct Edit {
    TextRange range;
    std::string text;
  };
  std::vector<Edit> edits_;
};

}  // namespace fdg::compiler
