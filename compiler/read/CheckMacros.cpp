#include "compiler/read/CheckMacros.h"

#include <algorithm>
#include <string>
#include <vector>

#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringSet.h"

namespace fdg::compiler {
namespace {

using clang::MacroDirective;
using clang::SourceLocation;

/// What stands in generated code besides names that begin with fdg_ or belong to namespace fdg.
bool isGenerated(llvm::StringRef name) {
  static const llvm::StringSet<> names = {
      "Closed", "ConfigFields", "ConfigVisitor", "FragmentCode", "LoopState", "PlanCode", "Ports",
      "Run", "Steps", "Tape", "Task", "all_gather", "append", "ask", "at", "broadcast", "config",
      "cross", "done", "drain", "drained", "exchange", "fdg", "field", "finish", "fragments",
      "gather", "host", "item", "lengthOf", "loop", "loose", "maybe_unused", "more", "next",
      "noinline", "onDrain", "partition", "plan", "ports", "receive", "reduce_all", "reduce_any",
      "reduce_max", "reduce_mean", "reduce_sum", "run", "scatter", "send", "skips", "state", "std",
      "tape", "tell", "told", "toldLength", "toldSteps", "visibility", "visit", "visitEnum",
      "visitOptional", "visitor"};
  return names.contains(name);
}

class Checker {
 public:
  Checker(const ParsedProgram& parsed, const clang::FunctionDecl& entry)
      : sources_(parsed.sources()),
        preprocessor_(parsed.compiler().getPreprocessor()),
        body_(entry.getBody()->getSourceRange()) {}

  void check(Diagnostics& diagnostics) {
    for (const auto& macro : preprocessor_.macros(/*IncludeExternalMacros=*/false)) {
      checkMacro(*macro.first);
    }
    std::ranges::sort(found_, [&](const Found& a, const Found& b) {
      return sources_.isBeforeInTranslationUnit(a.place, b.place);
    });
    for (const Found& found : found_) {
      if (found.message == Message::refused_macro_change) {
        diagnostics.report(found.place, found.message) << found.name << (found.undefines ? 1 : 0);
      } else {
        diagnostics.report(found.place, found.message) << found.name;
      }
    }
  }

 private:
  struct Found {
    SourceLocation place;
    Message message;
    std::string name;
    bool undefines;
  };

  bool isInBody(SourceLocation place) const {
    return sources_.isBeforeInTranslationUnit(body_.getBegin(), place) &&
           sources_.isBeforeInTranslationUnit(place, body_.getEnd());
  }

  void checkMacro(const clang::IdentifierInfo& name) {
    const MacroDirective* last = preprocessor_.getLocalMacroDirectiveHistory(&name);
    const MacroDirective* change = nullptr;
    for (const MacroDirective* each = last; each != nullptr; each = each->getPrevious()) {
      const bool undefines = each->getKind() == MacroDirective::MD_Undefine;
      if (isInBody(each->getLocation()) && (undefines || each->getPrevious() != nullptr)) {
        change = each;  // the first of them, in the end
      }
    }
    if (change != nullptr) {
      found_.push_back({change->getLocation(), Message::refused_macro_change, name.getName().str(),
                        change->getKind() == MacroDirective::MD_Undefine});
    } else if (last != nullptr && last->getKind() == MacroDirective::MD_Define &&
               isGenerated(name.getName()) && isOfProgram(last->getLocation())) {
      found_.push_back(
          {last->getLocation(), Message::refused_macro_name, name.getName().str(), false});
    }
  }

  bool isOfProgram(SourceLocation place) const {
    return place.isValid() && !sources_.isLoadedSourceLocation(place) &&
           !sources_.isInSystemHeader(place);
  }

  const clang::SourceManager& sources_;
  clang::Preprocessor& preprocessor_;
  clang::SourceRange body_;
  std::vector<Found> found_;
};

}  // namespace

bool checkMacros(const ParsedProgram& parsed, const clang::FunctionDecl& entry,
                 Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  Checker(parsed, entry).check(diagnostics);
  return diagnostics.errors() == before;
}

}  // namespace fdg::compiler
