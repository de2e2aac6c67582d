#include "compiler/read/ParseProgram.h"

#include <utility>

#include "base/Check.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Rewrite/Frontend/FixItRewriter.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace fdg::compiler {
namespace {

struct Marks {
  std::vector<ProgramMark> programs;
  std::vector<AttributeMark> attributes;
};

/// Notes each FDG_PROGRAM(name) of the main file, and the marks of fdg/marks.h.
class MarkFinder final : public clang::PPCallbacks {
 public:
  MarkFinder(clang::CompilerInstance& compiler, Marks& marks)
      : compiler_(compiler), marks_(marks) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& /*definition*/,
                    clang::SourceRange range, const clang::MacroArgs* /*args*/) override {
    static const llvm::StringSet<> kAttributes = {"FDG_ROLE", "FDG_APPROXIMATE", "FDG_SINGLE",
                                                  "FDG_PURE", "FDG_FRESH",       "FDG_LATEST"};
    const clang::SourceManager& sources = compiler_.getSourceManager();
    const llvm::StringRef macro = name.getIdentifierInfo()->getName();
    const clang::SourceLocation place = sources.getExpansionLoc(name.getLocation());
    if (kAttributes.contains(macro) && !sources.isInSystemHeader(place)) {
      marks_.attributes.push_back({macro.str(), place});
    }
    if (macro != "FDG_PROGRAM" || !name.getLocation().isFileID() || !sources.isInMainFile(place)) {
      return;
    }
    const auto text =
        clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range),
                                    compiler_.getSourceManager(), compiler_.getLangOpts());
    const auto [before, after] = text.split('(');
    marks_.programs.push_back({after.rsplit(')').first.trim().str(), name.getLocation()});
  }

 private:
  clang::CompilerInstance& compiler_;
  Marks& marks_;
};

/// Wants no code. Skips bodies that no step looks into: those of what others installed.
class ProgramBodies final : public clang::ASTConsumer {
 public:
  explicit ProgramBodies(const clang::SourceManager& sources) : sources_(sources) {}

  bool shouldSkipFunctionBody(clang::Decl* decl) override {
    return sources_.isInSystemHeader(sources_.getExpansionLoc(decl->getLocation()));
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* decl : group) {
      useTrainingFunctions(decl);
    }
    return true;
  }

 private:
  /// Nothing calls a training function here: that is no reason to warn of it.
  static void useTrainingFunctions(clang::Decl* decl) {
    if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(decl)) {
      for (clang::Decl* inner : space->decls()) {
        useTrainingFunctions(inner);
      }
    }
    auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (function == nullptr || function->getNumParams() == 0) {
      return;
    }
    const auto* record =
        function->getParamDecl(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (record != nullptr && record->getQualifiedNameAsString() == "fdg::Run") {
      function->setIsUsed();
    }
  }

  const clang::SourceManager& sources_;
};

class ParseAction final : public clang::ASTFrontendAction {
 public:
  explicit ParseAction(Marks& marks) : marks_(marks) {}

 private:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef /*file*/) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<MarkFinder>(compiler, marks_));
    return std::make_unique<ProgramBodies>(compiler.getSourceManager());
  }

  Marks& marks_;
};

/// Keeps the warnings of a text from being shown that were shown for the file; they still reach who
/// stands in front of it, for their fix-its.
class ShownBefore final : public clang::DiagnosticConsumer {
 public:
  explicit ShownBefore(std::unique_ptr<clang::DiagnosticConsumer> next) : next_(std::move(next)) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    if (level != clang::DiagnosticsEngine::Note) {
      dropped_ = parsing && level < clang::DiagnosticsEngine::Error;
    }
    if (!dropped_) {
      next_->HandleDiagnostic(level, diagnostic);
    }
  }

  bool parsing = true;

 private:
  std::unique_ptr<clang::DiagnosticConsumer> next_;
  bool dropped_ = false;  // notes go with the message before them
};

/// As many fix-its as can be applied. The rewriter applies them only where it also writes them;
/// what it writes goes nowhere, and fixedText() takes the main file's.
class Collected final : public clang::FixItOptions {
 public:
  Collected() { FixWhatYouCan = true; }
  std::string RewriteFilename(const std::string& /*file*/, int& descriptor) override {
    descriptor = -1;
    return "/dev/null";
  }
};

void checkFile(const std::string& file) {
  const llvm::StringRef extension = llvm::sys::path::extension(file);
  if (!llvm::sys::fs::exists(file)) {
    throw UserError(file + ": there is no such file");
  }
  if (llvm::sys::fs::is_directory(file)) {
    throw UserError(file + " is a folder; fdgc takes one C++ source file");
  }
  if (extension != ".cpp" && extension != ".cc" && extension != ".cxx" && extension != ".C") {
    throw UserError(file + " is not a C++ source file; its name must end in .cpp, .cc, .cxx or .C");
  }
  const auto text = llvm::MemoryBuffer::getFile(file);
  if (!text) {
    throw UserError(file + " cannot be read: " + text.getError().message());
  }
  if ((*text)->getBuffer().trim().empty()) {
    throw UserError(file +
                    " is empty; a program has a training function and FDG_PROGRAM(its name)");
  }
  if ((*text)->getBuffer().contains('\0')) {
    throw UserError(file + " is not text: it contains zero bytes");
  }
}

std::vector<std::string> commandLine(const ParseOptions& options, const Toolchain& toolchain,
                                     const UserFlags& flags) {
  std::vector<std::string> args = {toolchain.clang, "-fsyntax-only"};
  args.insert(args.end(), toolchain.flags.begin(), toolchain.flags.end());
  args.insert(args.end(), flags.compile.begin(), flags.compile.end());
  if (flags.fit_precompiled_header) {
    args.insert(args.end(), {"-include-pch", toolchain.precompiled});
  } else {
    args.insert(args.end(), {"-include", toolchain.header});
  }
  args.push_back(options.file);
  return args;
}

std::shared_ptr<clang::CompilerInvocation> makeInvocation(const std::vector<std::string>& args) {
  std::vector<const char*> pointers;
  for (const std::string& arg : args) {
    pointers.push_back(arg.c_str());
  }
  auto* complaints = new clang::TextDiagnosticBuffer;  // owned by the engine
  clang::CreateInvocationOptions how;
  how.Diags = clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions, complaints);
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(pointers, how);
  if (!invocation || how.Diags->hasErrorOccurred()) {
    const bool said = complaints->err_begin() != complaints->err_end();
    throw UserError("clang does not take the flags after --" +
                    (said ? ": " + complaints->err_begin()->second : ""));
  }
  invocation->getFrontendOpts().SkipFunctionBodies = true;
  return invocation;
}

}  // namespace

struct ParsedProgram::State {
  ParseOptions options;
  bool precompiled = true;
  bool failed = false;
  Marks marks;
  Collected fix_options;
  clang::CompilerInstance compiler;
  std::unique_ptr<ParseAction> action;
  clang::FixItRewriter* fixes = nullptr;  // owned by the diagnostics engine
};

ParsedProgram::ParsedProgram(std::unique_ptr<State> state) : state_(std::move(state)) {}
ParsedProgram::ParsedProgram(ParsedProgram&&) noexcept = default;
ParsedProgram::~ParsedProgram() = default;

clang::CompilerInstance& ParsedProgram::compiler() const { return state_->compiler; }
clang::ASTContext& ParsedProgram::context() const { return state_->compiler.getASTContext(); }
clang::SourceManager& ParsedProgram::sources() const { return state_->compiler.getSourceManager(); }
clang::DiagnosticsEngine& ParsedProgram::diagnostics() const {
  return state_->compiler.getDiagnostics();
}
const ParseOptions& ParsedProgram::options() const { return state_->options; }
const std::vector<ProgramMark>& ParsedProgram::marks() const { return state_->marks.programs; }
const std::vector<AttributeMark>& ParsedProgram::attributeMarks() const {
  return state_->marks.attributes;
}
bool ParsedProgram::usesPrecompiledHeader() const { return state_->precompiled; }

std::string ParsedProgram::entryName() const {
  if (!state_->options.entry.empty()) {
    return state_->options.entry;
  }
  return state_->marks.programs.size() == 1 ? state_->marks.programs.front().name : "";
}

void ParsedProgram::chooseEntry(const std::string& name) { state_->options.entry = name; }

bool ParsedProgram::failed() const { return state_->failed; }

std::optional<std::string> ParsedProgram::fixedText() const {
  const clang::FileID main = sources().getMainFileID();
  if (state_->fixes == nullptr || state_->fixes->WriteFixedFiles() ||
      !state_->fixes->IsModified(main)) {
    return std::nullopt;
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  state_->fixes->WriteFixedFile(main, out);
  return text;
}

bool ParsedProgram::finish() {
  const bool verifies = state_->compiler.getDiagnosticOpts().VerifyDiagnostics;
  const bool clean = !state_->compiler.getDiagnostics().hasErrorOccurred();
  state_->action->EndSourceFile();
  return verifies ? state_->compiler.getDiagnosticClient().getNumErrors() == 0 : clean;
}

std::unique_ptr<ParsedProgram> parseProgram(const ParseOptions& options,
                                            const Toolchain& toolchain) {
  checkFile(options.file);
  const UserFlags flags = sortUserFlags(options.flags);
  if (flags.fit_precompiled_header) {
    checkPrecompiledHeader(toolchain);
  } else if (!options.again) {
    llvm::errs()
        << "fdgc: the flags after -- do not fit the precompiled header, so the library's headers "
           "are parsed anew: this takes half a minute\n";
  }
  auto state = std::make_unique<ParsedProgram::State>();
  state->options = options;
  state->precompiled = flags.fit_precompiled_header;
  state->action = std::make_unique<ParseAction>(state->marks);
  clang::CompilerInstance& compiler = state->compiler;
  compiler.setInvocation(makeInvocation(commandLine(options, toolchain, flags)));
  if (!options.text.empty()) {
    compiler.getPreprocessorOpts().addRemappedFile(
        options.file, llvm::MemoryBuffer::getMemBufferCopy(options.text, options.file).release());
  }
  compiler.createDiagnostics();
  FDG_CHECK(compiler.hasDiagnostics() && compiler.createTarget(), "clang does not start");
  if (!state->action->PrepareToExecute(compiler) ||
      !state->action->BeginSourceFile(compiler, compiler.getFrontendOpts().Inputs.front())) {
    throw UserError(
        "clang cannot use the precompiled header of FDG's headers; build the target fdgc again");
  }
  ShownBefore* shown = nullptr;
  if (options.again) {
    clang::DiagnosticsEngine& engine = compiler.getDiagnostics();
    shown = new ShownBefore(engine.takeClient());
    engine.setClient(shown, /*ShouldOwnClient=*/true);
  }
  if (options.apply_fixes) {
    state->fixes = new clang::FixItRewriter(compiler.getDiagnostics(), compiler.getSourceManager(),
                                            compiler.getLangOpts(), &state->fix_options);
  }
  llvm::cantFail(state->action->Execute());
  if (shown != nullptr) {
    shown->parsing = false;
  }
  state->failed = compiler.getDiagnostics().hasErrorOccurred() &&
                  !compiler.getDiagnosticOpts().VerifyDiagnostics;
  return std::unique_ptr<ParsedProgram>(new ParsedProgram(std::move(state)));
}

}  // namespace fdg::compiler
