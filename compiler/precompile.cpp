// fdg-precompile CLANG FLAGS -o HEADER.pch HEADER.h: a header → its precompiled form, with every
// template instantiated that a program would otherwise instantiate again.
//
// Clang leaves virtual members of class templates to the files that include the header, although
// the header has made them needed: with torch that is 90 % of what an empty program costs. Here
// they are instantiated once, as clang does at the end of a program. Takes what `clang++ -x
// c++-header` takes; what it writes can be used by that clang with -include-pch. The build runs it.
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/Utils.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/Support/raw_ostream.h"

namespace {

/// Does at the end of the header what clang does at the end of a program.
class EndOfProgram final : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  bool HandleTopLevelDecl(clang::DeclGroupRef /*group*/) override {
    scope_ = sema_->TUScope;
    return true;
  }
  void HandleTranslationUnit(clang::ASTContext& /*context*/) override {
    // The scope still lives, Sema has only let go of it; lookups inside templates need it.
    sema_->TUScope = scope_;
    while (sema_->DefineUsedVTables()) {
      sema_->PerformPendingInstantiations();
    }
    sema_->TUScope = nullptr;
  }

 private:
  clang::Sema* sema_ = nullptr;
  clang::Scope* scope_ = nullptr;
};

class PrecompileAction final : public clang::GeneratePCHAction {
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<EndOfProgram>());
    consumers.push_back(GeneratePCHAction::CreateASTConsumer(compiler, file));
    return consumers.back() == nullptr
               ? nullptr
               : std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<const char*> args;
  std::string output;
  for (int i = 1; i < argc; ++i) {
    if (llvm::StringRef(argv[i]) == "-o" && i + 1 < argc) {
      output = argv[++i];
    } else {
      args.push_back(argv[i]);
    }
  }
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(args);
  if (output.empty() || !invocation) {
    llvm::errs() << "usage: fdg-precompile CLANG FLAGS -o HEADER.pch HEADER.h\n";
    return 2;
  }
  invocation->getFrontendOpts().OutputFile = output;
  invocation->getLangOpts().PCHInstantiateTemplates = true;
  clang::CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics();
  PrecompileAction action;
  return compiler.ExecuteAction(action) && !compiler.getDiagnostics().hasErrorOccurred() ? 0 : 1;
}
