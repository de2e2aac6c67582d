// fdgc: the door. Reads the command line, runs the corridor, turns its outcome into the exit code:
// 0 made, 1 the program is wrong, 2 the call is wrong, 3 our bug.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "base/Check.h"
#include "compiler/Pipeline.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace {

using fdg::compiler::Cuts;
using fdg::compiler::Emit;
using fdg::compiler::PipelineOptions;
namespace cl = llvm::cl;

cl::OptionCategory kOptions("Options of fdgc");

/// The command line. Flags for clang stand behind `--` and are taken off before.
struct Options {
  cl::opt<std::string> file{cl::Positional, cl::desc("<program.cpp>"), cl::init(""),
                            cl::cat(kOptions)};
  cl::opt<std::string> output{
      "o", cl::desc("Output; default: the program's name with .plan, or standard output"),
      cl::value_desc("file"), cl::cat(kOptions)};
  cl::opt<std::string> entry{"entry",
                             cl::desc("The training function, where FDG_PROGRAM does not name it"),
                             cl::value_desc("name"), cl::cat(kOptions)};
  cl::opt<Emit> emit{
      "emit", cl::desc("What to write:"), cl::init(Emit::plan), cl::cat(kOptions),
      cl::values(clEnumValN(Emit::plan, "plan", "what fdg-run loads (default)"),
                 clEnumValN(Emit::graph, "graph", "fragments and boundaries as text"),
                 clEnumValN(Emit::coverage, "coverage", "every statement and who has it"),
                 clEnumValN(Emit::cpp, "cpp", "the generated C++"),
                 clEnumValN(Emit::manifest, "manifest", "the plan's description, JSON"),
                 clEnumValN(Emit::svg, "svg", "fragments and boundaries as a picture"),
                 clEnumValN(Emit::html, "html", "the source, coloured and explained, as a page"),
                 clEnumValN(Emit::compile_commands, "compile-commands",
                            "how the program is compiled, for clangd (compile_commands.json)"))};
  cl::opt<Cuts> cuts{
      "partition",
      cl::desc("Where to cut (default: at the annotations, or along components if "
               "there are none):"),
      cl::init(Cuts::by_program), cl::cat(kOptions),
      cl::values(clEnumValN(Cuts::annotated, "annotated", "at the annotations only"),
                 clEnumValN(Cuts::components, "components",
                            "also along the components that annotations leave joined"))};
  cl::opt<bool> sequential{"sequential", cl::desc("Build the plain executable: the specification"),
                           cl::cat(kOptions)};
  cl::opt<bool> fix{"fix", cl::desc("Write the suggested fixes into the program"),
                    cl::cat(kOptions)};
  cl::opt<bool> remarks{"Rfdg", cl::desc("Show remarks: what was decided and why"),
                        cl::cat(kOptions)};
  cl::opt<std::string> werror{
      "Werror", cl::desc("-Werror=fdg-random: random draws outside streams are errors"),
      cl::value_desc("fdg-random"), cl::cat(kOptions)};
  cl::opt<std::string> dump_after{"dump-after", cl::desc("Print what this step made"),
                                  cl::value_desc("step"), cl::cat(kOptions)};
  cl::opt<bool> time_steps{"time-steps", cl::desc("Print how long each step took"),
                           cl::cat(kOptions)};
};

constexpr const char* kOverview =
    "fdgc splits a reinforcement learning program into fragments and writes a plan for fdg-run.\n\n"
    "  fdgc apex.cpp -o apex.plan\n"
    "  fdgc apex.cpp --emit=graph\n"
    "  fdgc apex.cpp -- -I headers -DSMALL        flags for clang stand behind --\n";

PipelineOptions toPipeline(const Options& options, std::vector<std::string> flags) {
  PipelineOptions pipeline;
  pipeline.parse = {options.file, std::move(flags), options.entry, options.fix, ""};
  pipeline.emit = options.emit;
  pipeline.sequential = options.sequential;
  pipeline.output = options.output;
  pipeline.cuts = options.cuts;
  pipeline.diagnostics = {options.remarks, options.werror == "fdg-random"};
  pipeline.dump_after = options.dump_after;
  pipeline.time_steps = options.time_steps;
  return pipeline;
}

/// The last of several would win, and an empty value would count as none: neither was meant.
void refuseOddUse(const cl::Option& option, bool is_empty) {
  const std::string name = (option.ArgStr.size() == 1 ? "-" : "--") + option.ArgStr.str();
  if (option.getNumOccurrences() > 1) {
    throw fdg::UserError(name + " is given " + std::to_string(option.getNumOccurrences()) +
                         " times; give it once");
  }
  if (option.getNumOccurrences() > 0 && is_empty) {
    throw fdg::UserError(name + " has an empty value; leave it out, or name something");
  }
}

void refuseOddUses(const Options& options) {
  for (const cl::opt<std::string>* option :
       {&options.output, &options.entry, &options.werror, &options.dump_after}) {
    refuseOddUse(*option, option->empty());
  }
  refuseOddUse(options.emit, false);
  refuseOddUse(options.cuts, false);
}

void refuseContradictions(const Options& options) {
  if (options.file.empty()) {
    throw fdg::UserError("which program? fdgc takes one C++ source file; --help shows the options");
  }
  refuseOddUses(options);
  bool same = false;
  if (!options.output.empty() && !llvm::sys::fs::equivalent(options.file, options.output, same) &&
      same) {
    throw fdg::UserError("-o " + options.output +
                         " is the program itself and would be overwritten; name another output");
  }
  if (!options.werror.empty() && options.werror != "fdg-random") {
    throw fdg::UserError("-Werror=" + options.werror +
                         ": fdgc knows -Werror=fdg-random; clang's own go after --");
  }
  if (options.sequential && options.emit != Emit::plan && options.emit != Emit::cpp) {
    throw fdg::UserError(
        "--sequential makes an executable or, with --emit=cpp, its source; it has no fragments");
  }
  if (options.sequential && options.cuts.getNumOccurrences() > 0) {
    throw fdg::UserError(
        "--partition says where to cut, but --sequential cuts nowhere; leave one of them out");
  }
  if (options.output == "-" && options.emit == Emit::plan) {
    throw fdg::UserError("-o -: only texts go to standard output; name a file");
  }
}

/// A crash is ours: say in which step, and leave with the code that says so.
void onCrash(int /*signal*/) {
  const auto say = [](const char* text) { return write(STDERR_FILENO, text, std::strlen(text)); };
  const bool said = say("fdgc: this is a bug of fdgc, in its step ") > 0 &&
                    say(fdg::compiler::currentStep()) > 0 &&
                    say(". Please report it together with the program.\n") > 0;
  _exit(said ? 3 : 3);
}

/// What LLVM says of the call: it puts the program's name in front of each line, the door once. Of
/// a value that an option does not take it has said so itself.
std::string asSentence(std::string complaint) {
  for (size_t name = complaint.find("fdgc: "); name != std::string::npos;
       name = complaint.find("fdgc: ")) {
    complaint.erase(name, 6);
  }
  const llvm::StringRef text = llvm::StringRef(complaint).trim();
  return text.empty() ? "--help lists what each option takes" : text.str();
}

int run(int argc, char** argv) {
  const auto dashes =
      std::find_if(argv, argv + argc, [](const char* arg) { return std::strcmp(arg, "--") == 0; });
  std::vector<std::string> flags(dashes == argv + argc ? dashes : dashes + 1, argv + argc);
  static Options options;
  cl::HideUnrelatedOptions(kOptions);
  cl::SetVersionPrinter([](llvm::raw_ostream& out) { out << "fdgc 0.1.0\n"; });
  std::string complaint;
  llvm::raw_string_ostream errors(complaint);
  if (!cl::ParseCommandLineOptions(static_cast<int>(dashes - argv), argv, kOverview, &errors)) {
    throw fdg::UserError(asSentence(complaint));
  }
  refuseContradictions(options);
  static int anchor;
  const std::string self = llvm::sys::fs::getMainExecutable(argv[0], &anchor);
  return static_cast<int>(fdg::compiler::runPipeline(toPipeline(options, std::move(flags)),
                                                     fdg::compiler::readToolchain(self)));
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE}) {
    std::signal(signal, onCrash);
  }
  try {
    const int code = run(argc, argv);
    llvm::outs().flush();
    return code;
  } catch (const fdg::UserError& error) {
    llvm::errs() << "fdgc: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    llvm::errs() << "fdgc: this is a bug of fdgc, in its step " << fdg::compiler::currentStep()
                 << ": " << error.what() << ". Please report it together with the program.\n";
    return 3;
  }
}
