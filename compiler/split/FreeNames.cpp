#include "compiler/split/FreeNames.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "compiler/read/SourceText.h"

namespace fdg::compiler {
namespace {

class Names final : public clang::RecursiveASTVisitor<Names> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    found.insert(e->getDecl()->getNameAsString());
    return true;
  }
  bool VisitNamedDecl(clang::NamedDecl* decl) {
    found.insert(decl->getNameAsString());
    return true;
  }
  std::set<std::string> found;
};

}  // namespace

FreeNames::FreeNames(const Program& program) : program_(program) {
  Names names;
  names.TraverseDecl(const_cast<clang::FunctionDecl*>(program.entry));
  taken_ = std::move(names.found);
  // Types and what stands in macros too: every name that does not follow `.`, `->` or `::`.
  const SourceText source(*program.context);
  const TextRange range = source.range(program.entry->getSourceRange());
  clang::Lexer lexer(clang::SourceLocation(), program.context->getLangOpts(), source.file().begin(),
                     source.file().begin() + range.begin, source.file().end());
  clang::Token token;
  bool member = false;
  while (!lexer.LexFromRawLexer(token) &&
         lexer.getBufferLocation() <= source.file().begin() + range.end) {
    if (token.is(clang::tok::raw_identifier) && !member) {
      taken_.insert(token.getRawIdentifier().str());
    }
    member = token.isOneOf(clang::tok::period, clang::tok::arrow, clang::tok::coloncolon);
  }
}

std::string FreeNames::take(const std::string& wanted) {
  const auto usable = [&](const std::string& name) {
    const auto& identifier = program_.context->Idents.get(name);
    return !identifier.hasMacroDefinition() &&
           !identifier.isKeyword(program_.context->getLangOpts()) && taken_.insert(name).second;
  };
  std::string name = wanted;
  for (int i = 2; !usable(name); ++i) {
    name = wanted + std::to_string(i);
  }
  return name;
}

}  // namespace fdg::compiler
