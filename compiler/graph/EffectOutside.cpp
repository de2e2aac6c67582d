// The part of EffectWalk that knows what lies outside of the program: files, environment variables,
// settings of the process, its end.
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/graph/EffectWalk.h"
#include "llvm/ADT/StringSet.h"

namespace fdg::compiler {
namespace {

using clang::Expr;

struct Use {
  Outside::Kind kind;
  bool reads, writes;
};

/// The text that an argument is written as, or a constant that it names.
std::string literal(llvm::ArrayRef<const Expr*> arguments, size_t i) {
  const Expr* e = i < arguments.size() ? arguments[i]->IgnoreUnlessSpelledInSource() : nullptr;
  const auto* name = llvm::dyn_cast_or_null<clang::DeclRefExpr>(e);
  const auto* constant =
      name != nullptr ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (constant != nullptr && constant->getType().isConstQualified() && constant->hasInit()) {
    e = constant->getInit()->IgnoreUnlessSpelledInSource();
  }
  const auto* text = llvm::dyn_cast_or_null<clang::StringLiteral>(e);
  return text != nullptr ? text->getString().str() : "";
}

std::optional<Use> useOfStream(const clang::CXXMethodDecl* method) {
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(method);
  const bool opens = constructor != nullptr ? !constructor->isCopyOrMoveConstructor()
                                            : method->getNameAsString() == "open";
  const std::string stream = method->getParent()->getNameAsString();
  const bool reads = stream == "basic_ifstream" || stream == "basic_fstream";
  const bool writes = stream == "basic_ofstream" || stream == "basic_fstream";
  return opens && (reads || writes) ? std::optional(Use{Outside::Kind::files, reads, writes})
                                    : std::nullopt;
}

std::optional<Use> useOfFiles(const std::string& name, const clang::FunctionDecl* callee,
                              llvm::ArrayRef<const Expr*> arguments) {
  static const llvm::StringSet<> readers = {"load", "exists", "file_size", "is_regular_file",
                                            "directory_iterator"};
  static const llvm::StringSet<> writers = {"save",   "remove",    "rename",
                                            "unlink", "copy_file", "resize_file"};
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (method != nullptr && inNamespace(method, "std")) {
    if (const std::optional<Use> use = useOfStream(method)) {
      return use;
    }
  }
  const bool known = callee->isExternC() || isNamed(callee, "torch::save") ||
                     isNamed(callee, "torch::load") ||
                     qualifiedName(callee).starts_with("std::filesystem::");
  if (known && name == "fopen") {
    const std::string mode = literal(arguments, 1);
    const bool unknown = mode.empty();
    return Use{Outside::Kind::files, unknown || mode.find_first_of("r+") != std::string::npos,
               unknown || mode.find_first_of("wa+") != std::string::npos};
  }
  if (known && (readers.contains(name) || writers.contains(name))) {
    return Use{Outside::Kind::files, readers.contains(name), writers.contains(name)};
  }
  return std::nullopt;
}

/// What the file or variable is called, if that alone is written out.
std::string nameOfUsed(const clang::FunctionDecl* callee, llvm::ArrayRef<const Expr*> arguments) {
  const std::string name = callee->getNameAsString();
  const bool more = name == "rename" || name == "copy_file" || name == "putenv";
  return more ? "" : literal(arguments, inNamespace(callee, "torch") ? 1 : 0);
}

std::optional<Use> useOf(const clang::FunctionDecl* callee, llvm::ArrayRef<const Expr*> arguments) {
  const std::string name = callee->getNameAsString();
  if (name == "getenv" || name == "secure_getenv") {
    return Use{Outside::Kind::environment, true, false};
  }
  if (callee->isExternC() && (name == "setenv" || name == "unsetenv" || name == "putenv")) {
    return Use{Outside::Kind::environment, false, true};
  }
  return useOfFiles(name, callee, arguments);
}

bool endsProcess(const clang::FunctionDecl* callee) {
  static const llvm::StringSet<> names = {"exit",    "_exit",        "_Exit",    "quick_exit",
                                          "longjmp", "pthread_exit", "thrd_exit"};
  return (callee->isExternC() || inNamespace(callee, "std")) &&
         names.contains(callee->getNameAsString());
}

/// Sets something that everything behind it computes with, in every process.
/// `torch::set_default_dtype(…)`, `at::globalContext().setFlushDenormal(true)`, `setlocale(…)`.
bool isSetting(const clang::FunctionDecl* callee) {
  static const llvm::StringSet<> names = {"setlocale", "fesetround", "fesetenv", "current_path",
                                          "global"};
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const std::string name = callee->getNameAsString();
  if (callee->isExternC() || inNamespace(callee, "std")) {
    const bool asks = name == "current_path" && llvm::none_of(callee->parameters(), [](auto* given) {
                        return !isNamed(given->getType()->getAsCXXRecordDecl(), "std::error_code");
                      });
    return names.contains(name) && !asks &&
           (name != "global" || (method != nullptr && isNamed(method->getParent(), "std::locale")));
  }
  return (inNamespace(callee, "torch") || inNamespace(callee, "at") ||
          inNamespace(callee, "c10") || inNamespace(callee, "caffe2")) &&
         llvm::StringRef(name).starts_with("set") &&
         (method == nullptr || method->isStatic() || isNamed(method->getParent(), "at::Context")) &&
         llvm::none_of(callee->parameters(), [](const clang::ParmVarDecl* given) {
           return isTensor(given->getType());
         });
}

/// Whether it depends on more than the configuration and constants.
class NamesLocals final : public clang::RecursiveASTVisitor<NamesLocals> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(e->getDecl());
    found |=
        variable != nullptr && !variable->isConstexpr() && !llvm::isa<clang::ParmVarDecl>(variable);
    found |= llvm::isa<clang::BindingDecl>(e->getDecl());
    return true;
  }
  bool found = false;
};

/// Variables and fields whose memory a tensor is made over.
class Lent final : public clang::RecursiveASTVisitor<Lent> {
 public:
  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee != nullptr && callee->getIdentifier() != nullptr &&
        callee->getName() == "from_blob" && call->getNumArgs() > 0) {
      add(call->getArg(0));
    }
    return true;
  }
  std::set<const clang::ValueDecl*> found;

 private:
  void add(const clang::Stmt* e) {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      found.insert(name->getDecl());
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      found.insert(member->getMemberDecl());
    }
    for (const clang::Stmt* child : e->children()) {
      if (child != nullptr) {
        add(child);
      }
    }
  }
};

}  // namespace

void EffectWalk::findLent(const clang::Stmt* body) {
  Lent lent;
  lent.TraverseStmt(const_cast<clang::Stmt*>(body));
  lent_ = lent.found;
}

/// Every fragment that has something behind such a call makes it, too.
bool EffectWalk::setsProcess(const clang::FunctionDecl* callee, const Expr* call) {
  if (callee == nullptr || !isSetting(callee)) {
    return false;
  }
  NamesLocals locals;
  locals.TraverseStmt(const_cast<Expr*>(call));
  out_->guards_scope = out_->sets_process = true;
  out_->settings.push_back(
      {call->getBeginLoc(), callee->getNameAsString(), conditional_ > 0 || locals.found});
  return true;
}

/// What a component sets, its fragment alone has. How many threads it likes is its own business.
void EffectWalk::setInComponent(const Effects& inner) {
  for (Setting setting : inner.settings) {
    setting.in_component = true;
    if (!llvm::StringRef(setting.what).ends_with("_threads")) {
      out_->settings.push_back(setting);
    }
  }
}

void EffectWalk::meetOutside(const clang::FunctionDecl* callee, const Expr* call,
                             llvm::ArrayRef<const Expr*> arguments) {
  if (callee == nullptr) {
    return;
  }
  meetGradients(callee, call);
  if (endsProcess(callee)) {
    out_->exits.push_back(call->getBeginLoc());
  }
  if (arguments.empty()) {
    return;
  }
  if (const std::optional<Use> use = useOf(callee, arguments)) {
    out_->outside.push_back(
        {use->kind, use->reads, use->writes, call->getBeginLoc(), nameOfUsed(callee, arguments)});
  }
}

}  // namespace fdg::compiler
