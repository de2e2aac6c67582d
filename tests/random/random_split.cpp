// random_split FDGC SOURCE OUTPUT [clang flags]: many programs of one file, split one by one.
//
// Every FDG_PROGRAM of SOURCE is a program. Standard output gets a line for each:
//   NAME accepted
//   NAME refused MESSAGE…     the errors by their names in Diagnostics.def
//   NAME broken TEXT          fdgc crashed, or its own proof failed
// OUTPUT gets SOURCE with the projection of every accepted program behind its training function, and a table of
// them for random_run. Each program is split in a process of its own, so that one that kills it takes no other
// along. FDGC is where to find the toolchain.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "base/Check.h"
#include "compiler/emit/Coverage.h"
#include "compiler/emit/EmitFragments.h"
#include "compiler/emit/EmitManifest.h"
#include "compiler/emit/RunTool.h"
#include "compiler/graph/CheckMarks.h"
#include "compiler/read/ReadAnnotations.h"
#include "compiler/split/SplitProgram.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fdg::compiler {
namespace {

constexpr unsigned kSecondsPerProgram = 20;  // of processor time: a busy machine fails nothing
constexpr unsigned kSecondsOnTheClock = 900;  // for one that waits for ever

/// Collects the names of the errors and warnings of fdgc's own, which end in them: "… [stream_twice]".
class Names final : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    if (level < clang::DiagnosticsEngine::Warning) {
      return;
    }
    llvm::SmallString<256> text;
    info.FormatDiagnostic(text);
    const size_t name = text.rfind('[');
    const bool own = text.ends_with("]") && name != llvm::StringRef::npos;
    said.insert(own ? text.substr(name + 1).drop_back().str() : "clang");
  }
  std::set<std::string> said;
};

/// What one program became. `verdict` is the line of standard output behind its name.
struct Result {
  std::string verdict;
  Projection projection;
  std::string manifest;
};

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += " " + name;
  }
  return text;
}

Result split(const ParsedProgram& parsed, const Toolchain& toolchain, const std::string& file) {
  auto* names = new Names;
  parsed.diagnostics().setClient(names);
  Diagnostics diagnostics(parsed.diagnostics(), {});
  const auto program = readAnnotations(parsed, diagnostics);
  if (!program || !checkMarks(parsed, *program, diagnostics)) {
    return {"refused" + joined(names->said), {}, ""};
  }
  const auto split = splitProgram(*program, diagnostics);
  if (!split) {
    return {"refused" + joined(names->said), {}, ""};
  }
  for (const std::string& lost : coverageOf(*program, *split).uncovered) {
    return {"broken the split loses or doubles a statement: " + lost, {}, ""};
  }
  return {"accepted" + joined(names->said), project(*program, *split, file),
          writeManifest(emitManifest(*program, *split, toolchain, file))};
}

void writeAll(int to, const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(to, bytes.data() + done, bytes.size() - done);
    if (written <= 0) {
      std::_Exit(1);
    }
    done += static_cast<size_t>(written);
  }
}

std::string readAll(int from) {
  std::string bytes;
  char buffer[65536];
  for (ssize_t got = 0; (got = ::read(from, buffer, sizeof buffer)) > 0;) {
    bytes.append(buffer, static_cast<size_t>(got));
  }
  return bytes;
}

constexpr char kEnd = '\1';

std::string packed(const Result& result) {
  return result.verdict + kEnd + std::to_string(result.projection.begin) + kEnd +
         std::to_string(result.projection.end) + kEnd + result.projection.functions + kEnd +
         result.projection.tables + kEnd + result.manifest + kEnd;
}

std::optional<Result> unpacked(const std::string& bytes) {
  std::vector<std::string> parts;
  for (size_t begin = 0, end = 0; (end = bytes.find(kEnd, begin)) != std::string::npos; begin = end + 1) {
    parts.push_back(bytes.substr(begin, end - begin));
  }
  if (parts.size() != 6) {
    return std::nullopt;
  }
  return Result{parts[0],
                {static_cast<unsigned>(std::stoul(parts[1])), static_cast<unsigned>(std::stoul(parts[2])),
                 parts[3], parts[4]},
                parts[5]};
}

/// The last line that a process that died has said.
std::string lastLine(std::string text) {
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  return text.substr(text.rfind('\n') + 1);
}

void limitTime() {
  const rlimit limit = {kSecondsPerProgram, kSecondsPerProgram};
  ::setrlimit(RLIMIT_CPU, &limit);
  ::alarm(kSecondsOnTheClock);
}

/// `work` in a process of its own. What it says on standard error comes behind a crash.
Result inOwnProcess(const std::function<Result()>& work) {
  int out[2], err[2];
  FDG_CHECK(::pipe(out) == 0 && ::pipe(err) == 0, "no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(err[1], STDERR_FILENO);
    ::close(err[0]);
    limitTime();
    writeAll(out[1], packed(work()));
    std::_Exit(0);
  }
  ::close(out[1]);
  ::close(err[1]);
  const std::string bytes = readAll(out[0]);
  const std::string said = readAll(err[0]);
  ::close(out[0]);
  ::close(err[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (const auto result = unpacked(bytes); result && status == 0) {
    return *result;
  }
  return {"broken signal " + std::to_string(WIFSIGNALED(status) ? WTERMSIG(status) : 0) + ": " + lastLine(said),
          {},
          ""};
}

/// "p12::train" → "p12_train".
std::string flat(std::string name) {
  for (size_t at = 0; (at = name.find("::")) != std::string::npos;) {
    name.replace(at, 2, "_");
  }
  return name;
}

/// `train` as a function that random_run can call; each program is in a namespace with its own Config.
std::string plainCall(const std::string& name) {
  const std::string config = name.substr(0, name.rfind("::")) + "::Config";
  return "[](fdg::Run& run, const void* config) { " + name + "(run, *static_cast<const " + config + "*>(config)); }";
}

std::string composed(const std::string& source, const std::string& file,
                     const std::map<std::string, Result>& results) {
  std::map<unsigned, const Result*> in_order;
  std::string tables, list;
  for (const auto& [name, result] : results) {
    if (!result.manifest.empty()) {
      in_order.emplace(result.projection.end, &result);
      const std::string function = "fdgPlanCode_" + flat(name);
      // An error in a table is one of its program.
      const auto end = source.begin() + result.projection.end;
      tables += "#line " + std::to_string(1 + std::count(source.begin(), end, '\n')) + " \"" + file + "\"\n";
      tables += "#define fdgPlanCode " + function + "\n" + result.projection.tables + "\n#undef fdgPlanCode\n";
      list += "{\"" + name + "\", R\"fdg(" + result.manifest + ")fdg\", " + plainCall(name) + ", " + function + "},\n";
    }
  }
  std::string text = "#include \"tests/random/Programs.h\"\n#line 1 \"" + file + "\"\n";
  unsigned at = 0;
  for (const auto& [end, result] : in_order) {
    text += source.substr(at, end - at) + result->projection.functions;
    at = end;
  }
  return text + source.substr(at) + "\n" + tables +
         "extern \"C\" const random_programs::List* randomPrograms() {\n"
         "static const std::vector<random_programs::Entry> entries = {" +
         list + "};\nstatic const random_programs::List list = {entries};\nreturn &list;\n}\n";
}

int splitAll(const Toolchain& toolchain, ParseOptions options, const std::string& output) {
  options.flags.push_back("-ferror-limit=0");
  const auto parsed = parseProgram(options, toolchain);
  if (parsed->failed()) {
    parsed->finish();
    return 1;
  }
  std::map<std::string, Result> results;
  for (const ProgramMark& program : parsed->marks()) {
    const Result result = inOwnProcess([&] {
      parsed->chooseEntry(program.name);
      return split(*parsed, toolchain, options.file);
    });
    std::cout << program.name << " " << result.verdict << "\n";
    results.emplace(program.name, result);
  }
  const auto source = llvm::MemoryBuffer::getFile(options.file);
  FDG_CHECK(source, "the source is gone");
  writeWhole(output, composed((*source)->getBuffer().str(), options.file, results));
  return 0;
}

}  // namespace
}  // namespace fdg::compiler

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: random_split FDGC SOURCE OUTPUT [flags]\n";
    return 2;
  }
  try {
    fdg::compiler::ParseOptions options;
    options.file = argv[2];
    options.flags.assign(argv + 4, argv + argc);
    return fdg::compiler::splitAll(fdg::compiler::readToolchain(argv[1]), options, argv[3]);
  } catch (const fdg::UserError& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
