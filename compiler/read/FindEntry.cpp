#include "compiler/read/FindEntry.h"

#include <algorithm>

#include "base/NearestName.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "compiler/read/Entities.h"

namespace fdg::compiler {
namespace {

using clang::FunctionDecl;

/// All functions with bodies in the user's files, methods and templates included.
class Functions final : public clang::RecursiveASTVisitor<Functions> {
 public:
  explicit Functions(const clang::SourceManager& sources) : sources_(sources) {}
  bool VisitFunctionDecl(FunctionDecl* function) {
    if (function->doesThisDeclarationHaveABody()) {
      found.push_back(function);
    }
    return true;
  }
  bool TraverseDecl(clang::Decl* decl) {
    return decl == nullptr || !isOfUser(*decl, sources_) || RecursiveASTVisitor::TraverseDecl(decl);
  }
  std::vector<const FunctionDecl*> found;

 private:
  const clang::SourceManager& sources_;
};

enum class Misfit { none = -1, returns, count, run, config };

/// Why a function is not void(fdg::Run&, const C&) for a class C.
Misfit misfitOf(const FunctionDecl* function) {
  if (!function->getReturnType()->isVoidType()) {
    return Misfit::returns;
  }
  if (function->getNumParams() != 2 || function->isVariadic()) {
    return Misfit::count;
  }
  const clang::QualType run = function->getParamDecl(0)->getType();
  if (!run->isLValueReferenceType() || !isRun(run) ||
      run.getNonReferenceType().isConstQualified()) {
    return Misfit::run;
  }
  const clang::QualType config = function->getParamDecl(1)->getType();
  const bool fits = config->isLValueReferenceType() &&
                    config.getNonReferenceType().isConstQualified() &&
                    config.getNonReferenceType()->getAsCXXRecordDecl() != nullptr;
  return fits ? Misfit::none : Misfit::config;
}

/// What a name written as `a::b` means at the outermost level of the file.
const clang::NamedDecl* lookUp(const clang::ASTContext& context, llvm::StringRef name) {
  const clang::DeclContext* scope = context.getTranslationUnitDecl();
  name.consume_front("::");
  while (true) {
    const auto [first, rest] = name.split("::");
    auto& identifiers = const_cast<clang::ASTContext&>(context).Idents;
    const auto found = scope->lookup(&identifiers.get(first));
    const clang::NamedDecl* decl = found.empty() ? nullptr : *found.begin();
    scope = llvm::dyn_cast_or_null<clang::DeclContext>(decl);
    if (rest.empty() || scope == nullptr) {
      return rest.empty() ? decl : nullptr;
    }
    name = rest;
  }
}

class EntryFinder {
 public:
  EntryFinder(const ParsedProgram& parsed, Diagnostics& diagnostics)
      : parsed_(parsed), diagnostics_(diagnostics), functions_(candidates(parsed)) {}

  const FunctionDecl* find() {
    const auto& marks = parsed_.marks();
    if (parsed_.options().entry.empty() && marks.size() > 1) {
      diagnostics_.report(marks[1].location, Message::entry_twice)
          << marks[0].name << marks[1].name;
      diagnostics_.report(marks[0].location, Message::note_other_program);
      return nullptr;
    }
    const std::string name = parsed_.entryName();
    const auto start = parsed_.sources().getLocForStartOfFile(parsed_.sources().getMainFileID());
    const auto place = marks.empty() ? start : marks[0].location;
    return name.empty() ? unnamed(start) : named(name, place);
  }

 private:
  /// Functions of the main file that are no methods.
  static std::vector<const FunctionDecl*> candidates(const ParsedProgram& parsed) {
    std::vector<const FunctionDecl*> functions = functionsOfUser(parsed.context());
    std::erase_if(functions, [&](const FunctionDecl* function) {
      const auto place = parsed.sources().getExpansionLoc(function->getLocation());
      return llvm::isa<clang::CXXMethodDecl>(function) || !parsed.sources().isInMainFile(place);
    });
    return functions;
  }

  const FunctionDecl* unnamed(clang::SourceLocation start) {
    std::vector<const FunctionDecl*> fits;
    std::copy_if(functions_.begin(), functions_.end(), std::back_inserter(fits),
                 [](const FunctionDecl* function) { return misfitOf(function) == Misfit::none; });
    if (fits.empty()) {
      diagnostics_.report(start, Message::entry_missing);
      return nullptr;
    }
    return fits.size() > 1 ? ambiguous(start, fits[0], fits[1]) : checked(fits[0]);
  }

  const FunctionDecl* named(const std::string& name, clang::SourceLocation place) {
    const FunctionDecl* found = nullptr;
    for (const FunctionDecl* function : functions_) {
      if (qualifiedName(function) == name || function->getNameAsString() == name) {
        const bool second = found != nullptr && misfitOf(found) == Misfit::none &&
                            misfitOf(function) == Misfit::none;
        if (second) {
          return ambiguous(place, found, function);
        }
        found = found == nullptr || misfitOf(function) == Misfit::none ? function : found;
      }
    }
    if (found == nullptr) {
      refuseName(name, place);
      return nullptr;
    }
    return checked(found);
  }

  const FunctionDecl* ambiguous(clang::SourceLocation place, const FunctionDecl* one,
                                const FunctionDecl* other) {
    diagnostics_.report(place, Message::entry_ambiguous) << one << other;
    for (const FunctionDecl* fit : {one, other}) {
      diagnostics_.report(fit->getLocation(), Message::note_candidate) << fit;
    }
    return nullptr;
  }

  void refuseName(const std::string& name, clang::SourceLocation place) {
    const clang::NamedDecl* decl = lookUp(parsed_.context(), name);
    if (decl == nullptr) {
      std::vector<std::string> names;
      for (const FunctionDecl* function : functions_) {
        names.push_back(function->getNameAsString());
      }
      const std::string nearest = nearestName(name, names);
      diagnostics_.report(place, Message::entry_not_found)
          << name << !nearest.empty() << nearest << renamed(name, nearest);
      return;
    }
    if (llvm::isa<FunctionDecl, clang::FunctionTemplateDecl>(decl) &&
        !llvm::isa<clang::CXXMethodDecl>(decl)) {
      diagnostics_.report(place, Message::entry_only_declared) << name;
    } else {
      const int kind = llvm::isa<clang::VarDecl>(decl)         ? 0
                       : llvm::isa<clang::TagDecl>(decl)       ? 1
                       : llvm::isa<clang::CXXMethodDecl>(decl) ? 2
                                                               : 3;
      diagnostics_.report(place, Message::entry_no_function) << name << kind;
    }
    diagnostics_.report(decl->getLocation(), Message::note_candidate) << decl;
  }

  /// In the brackets of FDG_PROGRAM.
  clang::FixItHint renamed(const std::string& name, const std::string& nearest) const {
    if (nearest.empty() || parsed_.marks().size() != 1 || !parsed_.options().entry.empty()) {
      return {};
    }
    const clang::SourceLocation mark = parsed_.marks()[0].location;
    const clang::SourceManager& sources = parsed_.sources();
    const llvm::StringRef rest =
        sources.getBufferData(sources.getMainFileID()).drop_front(sources.getFileOffset(mark));
    const size_t begin = rest.find(name);
    const auto start = mark.getLocWithOffset(static_cast<int>(begin));
    return clang::FixItHint::CreateReplacement(
        clang::CharSourceRange::getCharRange(start,
                                             start.getLocWithOffset(static_cast<int>(name.size()))),
        nearest);
  }

  const FunctionDecl* checked(const FunctionDecl* function) {
    const auto place = function->getLocation();
    if (function->getDescribedFunctionTemplate() != nullptr ||
        function->isTemplateInstantiation()) {
      diagnostics_.report(place, Message::entry_template) << function;
      return nullptr;
    }
    if (const Misfit misfit = misfitOf(function); misfit != Misfit::none) {
      diagnostics_.report(place, Message::entry_signature) << function << static_cast<int>(misfit);
      return nullptr;
    }
    if (llvm::isa<clang::CXXTryStmt>(function->getBody())) {
      diagnostics_.report(function->getBody()->getBeginLoc(), Message::entry_is_try) << function;
      return nullptr;
    }
    const clang::SourceLocation parts[] = {
        function->getBeginLoc(), function->getParametersSourceRange().getBegin(),
        function->getParametersSourceRange().getEnd(), function->getBody()->getBeginLoc(),
        function->getBody()->getEndLoc()};
    if (llvm::any_of(parts, [](clang::SourceLocation part) { return part.isMacroID(); })) {
      diagnostics_.report(place, Message::entry_in_macro) << function;
      return nullptr;
    }
    return function;
  }

  const ParsedProgram& parsed_;
  Diagnostics& diagnostics_;
  std::vector<const FunctionDecl*> functions_;
};

}  // namespace

bool isTraining(const FunctionDecl* function) { return misfitOf(function) == Misfit::none; }

bool isOfUser(const clang::Decl& decl, const clang::SourceManager& sources) {
  return !decl.isFromASTFile() &&
         !sources.isInSystemHeader(sources.getExpansionLoc(decl.getLocation()));
}

void forEachUserDecl(clang::ASTContext& context, const std::function<void(clang::Decl*)>& f) {
  for (clang::Decl* decl : context.getTraversalScope()) {
    if (const auto* unit = llvm::dyn_cast<clang::TranslationUnitDecl>(decl)) {
      for (clang::Decl* inner :
           unit->noload_decls()) {  // what the precompiled header holds stays on disk
        f(inner);
      }
    } else {
      f(decl);
    }
  }
}

std::vector<const FunctionDecl*> functionsOfUser(clang::ASTContext& context) {
  Functions functions(context.getSourceManager());
  forEachUserDecl(context, [&](clang::Decl* decl) { functions.TraverseDecl(decl); });
  return functions.found;
}

const FunctionDecl* findEntry(const ParsedProgram& parsed, Diagnostics& diagnostics) {
  return EntryFinder(parsed, diagnostics).find();
}

}  // namespace fdg::compiler
