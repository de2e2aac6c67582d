#include "compiler/read/SourceText.h"

#include <algorithm>

#include "clang/AST/QualTypeNames.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

namespace fdg::compiler {
namespace {

/// Collects the returns of a function, leaving out those of lambdas and local classes.
class Returns final : public clang::RecursiveASTVisitor<Returns> {
 public:
  bool TraverseLambdaExpr(clang::LambdaExpr* /*lambda*/) { return true; }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl* /*record*/) { return true; }
  bool VisitReturnStmt(clang::ReturnStmt* stmt) {
    found.push_back(stmt);
    return true;
  }
  std::vector<clang::ReturnStmt*> found;
};

}  // namespace

clang::CharSourceRange SourceText::fileRange(clang::SourceRange range) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const auto tokens = clang::CharSourceRange::getTokenRange(range);
  const auto exact = clang::Lexer::makeFileCharRange(tokens, sources, context_.getLangOpts());
  if (exact.isValid()) {
    return exact;
  }
  // Part of a macro's expansion: the macro's use as a whole.
  const auto expansion = sources.getExpansionRange(tokens);
  return clang::Lexer::makeFileCharRange(expansion, sources, context_.getLangOpts());
}

unsigned SourceText::offset(clang::SourceLocation location) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  return sources.getFileOffset(sources.getFileLoc(location));
}

int SourceText::lineOf(unsigned offset) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  return static_cast<int>(sources.getLineNumber(sources.getMainFileID(), offset));
}

std::string SourceText::indentOf(unsigned offset) const {
  const llvm::StringRef before = file().take_front(offset);
  const llvm::StringRef line = before.drop_front(before.rfind('\n') + 1);
  return line.take_while([](char c) { return c == ' ' || c == '\t'; }).str();
}

unsigned SourceText::behindComment(unsigned offset) const {
  const llvm::StringRef rest =
      file().drop_front(offset).take_until([](char c) { return c == '\n'; });
  const llvm::StringRef text = rest.trim();
  const bool comment = text.starts_with("//") && !text.ends_with("\\");
  return text.empty() || comment ? offset + static_cast<unsigned>(rest.rtrim().size()) : offset;
}

llvm::StringRef SourceText::file() const {
  const clang::SourceManager& sources = context_.getSourceManager();
  return sources.getBufferData(sources.getMainFileID());
}

TextRange SourceText::range(clang::SourceRange range) const {
  const clang::CharSourceRange chars = fileRange(range);
  const clang::SourceManager& sources = context_.getSourceManager();
  return {sources.getFileOffset(chars.getBegin()), sources.getFileOffset(chars.getEnd())};
}

TextRange SourceText::wholeStatement(const clang::Stmt* stmt) const {
  TextRange whole = range(stmt->getSourceRange());
  const clang::SourceManager& sources = context_.getSourceManager();
  clang::Lexer lexer(sources.getLocForStartOfFile(sources.getMainFileID()), context_.getLangOpts(),
                     file().begin(), file().begin() + whole.end, file().end());
  clang::Token token;
  lexer.LexFromRawLexer(token);
  if (token.is(clang::tok::semi) && file()[whole.end - 1] != ';' && file()[whole.end - 1] != '}') {
    whole.end = offset(token.getEndLoc());
  } else if (token.is(clang::tok::semi) && llvm::isa<clang::Expr>(stmt)) {
    whole.end =
        offset(token.getEndLoc());  // an expression that ends in } of a lambda or an initialiser
  } else if (token.is(clang::tok::semi) && llvm::isa<clang::DoStmt, clang::ReturnStmt>(stmt)) {
    whole.end = offset(token.getEndLoc());
  }
  return whole;
}

Piece SourceText::exact(clang::SourceRange range) const {
  const TextRange found = this->range(range);
  return {file().slice(found.begin, found.end).str(), lineOf(found.begin)};
}

Piece SourceText::statement(const clang::Stmt* stmt, bool coroutine) const {
  const TextRange whole = wholeStatement(stmt);
  TextEdits edits;
  if (coroutine) {
    Returns returns;
    returns.TraverseStmt(const_cast<clang::Stmt*>(stmt));
    for (const clang::ReturnStmt* found : returns.found) {
      edits.insert(offset(found->getBeginLoc()), "co_");
    }
  }
  return {edits.apply(file(), whole), lineOf(whole.begin)};
}

Piece SourceText::withoutConst(const clang::DeclStmt* declaration) const {
  Piece piece = withoutConst(wholeStatement(declaration),
                             llvm::cast<clang::ValueDecl>(*declaration->decl_begin()));
  piece.text.erase(piece.text.find_last_not_of("; \n") + 1);
  return piece;
}

Piece SourceText::withoutConst(TextRange range, const clang::ValueDecl* variable) const {
  const unsigned name = offset(variable->getLocation());
  const clang::SourceManager& sources = context_.getSourceManager();
  clang::Lexer lexer(sources.getLocForStartOfFile(sources.getMainFileID()), context_.getLangOpts(),
                     file().begin(), file().begin() + range.begin, file().end());
  TextEdits edits;
  int depth = 0;  // of template arguments, whose const is another one
  clang::Token token;
  for (lexer.LexFromRawLexer(token); offset(token.getLocation()) < name;
       lexer.LexFromRawLexer(token)) {
    depth += token.is(clang::tok::less) ? 1 : 0;
    depth -= token.is(clang::tok::greater) ? 1 : 0;
    if (depth == 0 && token.is(clang::tok::raw_identifier) && token.getRawIdentifier() == "const") {
      edits.replace({offset(token.getLocation()), offset(token.getEndLoc())}, "");
    }
  }
  std::string text = edits.apply(file(), range);
  text.erase(0, text.find_first_not_of(' '));
  return {text, lineOf(range.begin)};
}

std::string spelledType(clang::QualType type, const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressUnwrittenScope = true;  // no "(anonymous namespace)::"
  policy.PrintCanonicalTypes = true;
  policy.adjustForCPlusPlus();
  return type.getNonReferenceType().getUnqualifiedType().getCanonicalType().getAsString(policy);
}

bool canMove(llvm::StringRef text) {
  return !text.contains('\n') ||
         !(text.contains("//") || text.contains('#') || text.contains('"'));
}

std::string TextEdits::apply(llvm::StringRef text, TextRange range) const {
  std::vector<const Edit*> inside;
  for (const Edit& edit : edits_) {
    if (edit.range.begin >= range.begin && edit.range.end <= range.end) {
      inside.push_back(&edit);
    }
  }
  // Pointers into one vector: edits at one offset stay in the order in which they were made.
  std::sort(inside.begin(), inside.end(), [](const Edit* a, const Edit* b) {
    return a->range.begin != b->range.begin ? a->range.begin < b->range.begin : a < b;
  });
  std::string result;
  unsigned place = range.begin;
  for (const Edit* edit : inside) {
    result += text.slice(place, edit->range.begin);
    result += edit->text;
    place = edit->range.end;
  }
  return result + text.slice(place, range.end).str();
}

}  // namespace fdg::compiler
