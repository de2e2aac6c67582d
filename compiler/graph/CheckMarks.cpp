#include "compiler/graph/CheckMarks.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/graph/Summaries.h"
#include "compiler/read/Entities.h"
#include "compiler/read/FindEntry.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

/// Which clause of pure_is_not says what a function does.
enum class Effect { writes, draws, acts };

class Marks final : public clang::RecursiveASTVisitor<Marks> {
 public:
  Marks(const ParsedProgram& parsed, const Program& program, Diagnostics& diagnostics)
      : parsed_(parsed),
        program_(program),
        diagnostics_(diagnostics),
        summaries_(*program.context) {}

  bool TraverseDecl(clang::Decl* decl) {
    return decl == nullptr || !isOfUser(*decl, program_.sources()) ||
           RecursiveASTVisitor::TraverseDecl(decl);
  }

  /// Where a mark may stand, and where it does.
  bool VisitDecl(clang::Decl* decl) {
    for (const auto* attribute : decl->specific_attrs<clang::AnnotateAttr>()) {
      const llvm::StringRef text = attribute->getAnnotation();
      if (!text.starts_with("fdg::") || attribute->isInherited()) {
        continue;
      }
      const bool fits = text == "fdg::latest" ? llvm::isa<clang::ParmVarDecl>(decl)
                        : text == "fdg::pure" || text == "fdg::fresh"
                            ? llvm::isa<clang::FunctionDecl>(decl)
                            : llvm::isa<clang::CXXRecordDecl>(decl);
      if (fits) {
        well_placed_.insert(program_.sources().getExpansionLoc(attribute->getLocation()));
      }
    }
    return true;
  }

  /// What FDG_PROGRAM becomes here; in a plain compile it is main().
  bool VisitStaticAssertDecl(clang::StaticAssertDecl* decl) {
    const auto place = program_.sources().getExpansionLoc(decl->getLocation());
    if (std::ranges::count(parsed_.marks(), place, &ProgramMark::location) > 0 &&
        !decl->getDeclContext()->getRedeclContext()->isTranslationUnit()) {
      diagnostics_.report(place, Message::mark_misplaced) << "FDG_PROGRAM" << 3;
    }
    return true;
  }

  void refuseMisplaced() {
    for (const auto& [name, place] : parsed_.attributeMarks()) {
      if (!well_placed_.contains(place)) {
        const bool of_function = name == "FDG_PURE" || name == "FDG_FRESH";
        const int home = of_function ? 1 : name == "FDG_LATEST" ? 2 : 0;
        diagnostics_.report(place, Message::mark_misplaced) << name << home;
      }
    }
  }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (!function->isFirstDecl() || function->isTemplated()) {
      return true;
    }
    const bool pure = mark(function, "fdg::pure").has_value();
    if (mark(function, "fdg::fresh") && !pure) {
      diagnostics_.report(function->getLocation(), Message::fresh_without_pure) << function;
    }
    if (pure) {
      checkPure(*function);
    }
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    const bool keeps =
        method != nullptr && isComponent(program_.context->getTypeDeclType(method->getParent()));
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      if (!keeps && mark(parameter, "fdg::latest")) {
        diagnostics_.report(parameter->getLocation(), Message::latest_without_effect)
            << function << withoutMark(*parameter);
      }
    }
    return true;
  }

  /// The macro that makes the attribute, with the blank behind it.
  clang::FixItHint withoutMark(const clang::ParmVarDecl& parameter) const {
    const auto* attribute = parameter.getAttr<clang::AnnotateAttr>();
    if (attribute == nullptr || !attribute->getLocation().isMacroID()) {
      return {};
    }
    const auto range = program_.sources().getExpansionRange(attribute->getLocation());
    const auto end = clang::Lexer::getLocForEndOfToken(range.getEnd(), 0, program_.sources(),
                                                       program_.context->getLangOpts());
    return clang::FixItHint::CreateRemoval(
        clang::CharSourceRange::getCharRange(range.getBegin(), end.getLocWithOffset(1)));
  }

  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) {
    const auto role = mark(record, "fdg::role=");
    const auto names = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    if (role && record->isThisDeclarationADefinition() &&
        (role->empty() || !std::ranges::all_of(*role, names))) {
      diagnostics_.report(record->getLocation(), Message::role_is_no_name) << *role << record;
    }
    return true;
  }

 private:
  void checkPure(const clang::FunctionDecl& function) {
    if (function.getReturnType()->isVoidType()) {
      diagnostics_.report(function.getLocation(), Message::pure_without_result) << &function;
      return;
    }
    const Summary* summary = summaries_.of(&function);
    if (summary == nullptr) {
      return;
    }
    for (const std::set<unsigned>& written : {summary->updates, summary->in_place}) {
      if (!written.empty()) {
        const auto name = function.getParamDecl(*written.begin())->getNameAsString();
        return refuse(function, Effect::writes, name);
      }
    }
    for (const Impurity& impurity : summary->effects.impurities) {
      if (impurity.kind == Impurity::Kind::random) {
        return refuse(function, Effect::draws, "");
      }
      if (impurity.kind == Impurity::Kind::log || impurity.kind == Impurity::Kind::output) {
        if (impurity.what != "throw") {
          return refuse(function, Effect::acts, impurity.what);
        }
      }
    }
    if (!summary->effects.random_places.empty()) {
      refuse(function, Effect::draws, "");
    }
  }

  void refuse(const clang::FunctionDecl& function, Effect effect, const std::string& what) {
    diagnostics_.report(function.getLocation(), Message::pure_is_not)
        << &function << static_cast<int>(effect) << what;
  }

  const ParsedProgram& parsed_;
  const Program& program_;
  Diagnostics& diagnostics_;
  Summaries summaries_;
  std::set<clang::SourceLocation> well_placed_;
};

}  // namespace

bool checkMarks(const ParsedProgram& parsed, const Program& program, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  Marks marks(parsed, program, diagnostics);
  forEachUserDecl(*program.context, [&](clang::Decl* decl) { marks.TraverseDecl(decl); });
  marks.refuseMisplaced();
  return diagnostics.errors() == before;
}

}  // namespace fdg::compiler
