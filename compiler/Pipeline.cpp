#include "compiler/Pipeline.h"

#include <algorithm>
#include <chrono>

#include "base/Check.h"
#include "compiler/emit/BuildPlan.h"
#include "compiler/emit/CompileCommands.h"
#include "compiler/emit/Coverage.h"
#include "compiler/emit/EmitFragments.h"
#include "compiler/emit/EmitManifest.h"
#include "compiler/emit/GraphText.h"
#include "compiler/emit/Page.h"
#include "compiler/emit/Picture.h"
#include "compiler/emit/RewriteSource.h"
#include "compiler/emit/RunTool.h"
#include "compiler/graph/CheckMarks.h"
#include "compiler/read/ReadAnnotations.h"
#include "compiler/read/SourceText.h"
#include "compiler/split/SplitProgram.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fdg::compiler {
namespace {

constexpr std::string_view kSteps[] = {"ParseProgram",       "ReadAnnotations", "CheckMarks",
                                       "CutAlongComponents", "SplitProgram",    "EmitManifest",
                                       "EmitFragments",      "DrawPicture",     "WritePage",
                                       "CompileCode",        "LinkCode"};
const char* running_step = "start";

/// Runs the steps by name, timed.
class Corridor {
 public:
  explicit Corridor(const PipelineOptions& options) : options_(options) {}
  ~Corridor() {
    if (options_.time_steps) {
      for (const auto& [name, seconds] : times_) {
        llvm::errs() << llvm::format("%8.3f s  ", seconds) << name << "\n";
      }
    }
  }

  template <class Step>
  auto run(const char* name, Step step) {
    running_step = name;
    const auto start = std::chrono::steady_clock::now();
    auto value = step();
    times_.emplace_back(
        name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return value;
  }
  void dump(std::string_view name, const std::string& text) const {
    if (options_.dump_after == name) {
      llvm::errs() << text;
    }
  }

 private:
  const PipelineOptions& options_;
  std::vector<std::pair<const char*, double>> times_;
};

std::string describe(const Program& program) {
  std::string text = "training function " + program.entry->getNameAsString() + "\n";
  for (const SettableField& settable : program.config_fields) {
    const ConfigField& field = settable.info;
    text += "config " + field.name + ": " + field.type + " = " + field.default_text + "\n";
  }
  for (const auto& [stmt, annotation] : program.annotations) {
    text += "annotation, line " + std::to_string(program.line(stmt->getBeginLoc())) + ": " +
            operationName(annotation.operation) + (annotation.loose ? ".loose" : "") + "\n";
  }
  return text;
}

std::string outputFile(const PipelineOptions& options) {
  if (!options.output.empty()) {
    return options.output;
  }
  return llvm::sys::path::stem(options.parse.file).str() + (options.sequential ? "" : ".plan");
}

void writeText(const PipelineOptions& options, const std::string& text) {
  if (options.output.empty() || options.output == "-") {
    llvm::outs() << text;
  } else {
    writeWhole(options.output, text);
  }
}

Outcome outcomeOf(Built built) {
  return built == Built::made               ? Outcome::made
         : built == Built::program_is_wrong ? Outcome::program_is_wrong
                                            : Outcome::we_are_wrong;
}

Outcome build(Corridor& corridor, const BuildJob& job, const Toolchain& toolchain) {
  const CompiledCode code =
      corridor.run("CompileCode", [&] { return compileCode(job, toolchain); });
  if (code.outcome != Built::made) {
    return outcomeOf(code.outcome);
  }
  return outcomeOf(corridor.run("LinkCode", [&] { return linkCode(job, code, toolchain); }));
}

/// The split's own proof that nothing was dropped; its failure is our bug.
bool covers(const Coverage& coverage) {
  for (const std::string& statement : coverage.uncovered) {
    llvm::errs() << "fdgc: the split loses or doubles a statement: " << statement << "\n";
  }
  return coverage.uncovered.empty();
}

/// The program as it was read last: from the file, or from its text with cuts.
struct Source {
  std::unique_ptr<ParsedProgram> parsed;
  std::unique_ptr<Diagnostics> diagnostics;
  std::optional<Program> program;  ///< Nothing: it has errors, which were shown.
};

Source read(Corridor& corridor, const PipelineOptions& options, const ParseOptions& parse,
            const Toolchain& toolchain) {
  Source source;
  source.parsed = corridor.run("ParseProgram", [&] { return parseProgram(parse, toolchain); });
  source.diagnostics =
      std::make_unique<Diagnostics>(source.parsed->diagnostics(), options.diagnostics);
  DiagnosticSettings reading = options.diagnostics;
  reading.show_remarks &= !parse.again;
  if (!source.parsed->failed()) {
    Diagnostics diagnostics(source.parsed->diagnostics(), reading);
    source.program = corridor.run("ReadAnnotations",
                                  [&] { return readAnnotations(*source.parsed, diagnostics); });
  }
  if (source.program) {
    corridor.dump("ReadAnnotations", describe(*source.program));
  }
  return source;
}

bool verifies(const ParsedProgram& parsed) {
  return parsed.compiler().getDiagnosticOpts().VerifyDiagnostics;
}

/// Ends the messages; --fix writes what they, or the cuts, changed.
Outcome finish(const PipelineOptions& options, ParsedProgram& parsed) {
  std::optional<std::string> fixed = parsed.fixedText();
  const bool clean = parsed.finish();
  if (!fixed && clean && !parsed.options().text.empty()) {
    fixed = parsed.options().text;
  }
  if (options.parse.apply_fixes && fixed) {
    rewriteSource(options.parse.file, *fixed);
  }
  return clean ? Outcome::made : Outcome::program_is_wrong;
}

bool cutsAlongComponents(const PipelineOptions& options, const Source& source) {
  return !options.sequential && !verifies(*source.parsed) &&
         (options.cuts == Cuts::components ||
          (options.cuts == Cuts::by_program && source.program->annotations.empty()));
}

/// The program with the cuts of rule 12 in its text, parsed again. False: something was refused.
bool cutProgram(Corridor& corridor, const PipelineOptions& options, const Toolchain& toolchain,
                Source& source) {
  ParseOptions parse = options.parse;
  parse.again = true;
  bool placed = false;
  for (const CutStep step :
       {CutStep::open_headers, CutStep::separate_components, CutStep::place_annotations}) {
    const auto edits = corridor.run("CutAlongComponents", [&] {
      return cutAlongComponents(*source.program, step, *source.diagnostics);
    });
    if (!edits) {
      return false;
    }
    placed = step == CutStep::place_annotations && !edits->empty();
    if (edits->empty()) {
      continue;
    }
    const llvm::StringRef text = SourceText(*source.program->context).file();
    const TextRange all = {0, static_cast<unsigned>(text.size())};
    parse.text = (parse.apply_fixes ? edits->lines() : edits->inLine()).apply(text, all);
    corridor.dump("CutAlongComponents", parse.text);
    source.parsed->finish();
    source = read(corridor, options, parse, toolchain);
    if (!source.program) {
      throw std::logic_error(
          "the annotations that it placed do not compile (with "
          "--partition=annotated it places none)");
    }
  }
  if (!placed && !parse.text.empty()) {  // statements were taken apart for nothing
    source.parsed->finish();
    parse.text.clear();
    source = read(corridor, options, parse, toolchain);
  }
  return true;
}

Outcome buildSequential(Corridor& corridor, const PipelineOptions& options,
                        const Toolchain& toolchain, ParsedProgram& parsed, const Program& program) {
  const std::optional<clang::SourceLocation> mark =
      parsed.marks().empty() ? std::nullopt : std::optional(parsed.marks().front().location);
  const std::string code = corridor.run(
      "EmitFragments", [&] { return emitSequentialProgram(program, options.parse.file, mark); });
  corridor.dump("EmitFragments", code);
  const Outcome outcome = finish(options, parsed);
  if (options.emit == Emit::cpp) {
    writeText(options, code);
    return outcome;
  }
  if (outcome != Outcome::made) {
    return outcome;
  }
  return build(corridor, {options.parse.file, code, "", outputFile(options), options.parse.flags},
               toolchain);
}

/// What --emit asks for; for a plan, the code it is compiled from.
std::string textOf(Corridor& corridor, const PipelineOptions& options, const Program& program,
                   const Split& split, const Manifest& manifest) {
  switch (options.emit) {
    case Emit::graph:
      return graphText(manifest);
    case Emit::coverage:
      return coverageOf(program, split).text;
    case Emit::manifest:
      return writeManifest(manifest);
    case Emit::svg:
      return corridor.run("DrawPicture",
                          [&] { return pictureSvg(manifest, listStatements(program, split)); });
    case Emit::html:
      return corridor.run("WritePage", [&] {
        return pageHtml(manifest, listStatements(program, split),
                        SourceText(*program.context).file());
      });
    default:
      return corridor.run("EmitFragments",
                          [&] { return emitFragments(program, split, options.parse.file); });
  }
}

Outcome emitSplit(Corridor& corridor, const PipelineOptions& options, const Toolchain& toolchain,
                  ParsedProgram& parsed, const Program& program, const Split& split) {
  const Coverage coverage = coverageOf(program, split);
  const Manifest manifest = corridor.run(
      "EmitManifest", [&] { return emitManifest(program, split, toolchain, options.parse.file); });
  corridor.dump("SplitProgram", graphText(manifest) + coverage.text);
  corridor.dump("EmitManifest", writeManifest(manifest));
  if (!covers(coverage)) {
    llvm::errs() << coverage.text;
    return Outcome::we_are_wrong;
  }
  const std::string text = textOf(corridor, options, program, split, manifest);
  corridor.dump("EmitFragments", text);
  if (const Outcome outcome = finish(options, parsed); outcome != Outcome::made) {
    return outcome;
  }
  if (options.emit == Emit::plan) {
    return build(corridor,
                 {options.parse.file, text, writeManifest(manifest), outputFile(options),
                  options.parse.flags},
                 toolchain);
  }
  writeText(options, text);
  return Outcome::made;
}

/// Needs nothing of the program but its name.
Outcome writeCompileCommands(const PipelineOptions& options, const Toolchain& toolchain) {
  if (!llvm::sys::fs::exists(options.parse.file)) {
    throw UserError(options.parse.file + ": there is no such file");
  }
  llvm::SmallString<256> folder;
  llvm::SmallString<256> file(options.parse.file);
  llvm::sys::fs::current_path(folder);
  llvm::sys::fs::make_absolute(file);
  llvm::sys::path::remove_dots(file, /*remove_dot_dot=*/true);
  const auto existing = llvm::MemoryBuffer::getFile(options.output);
  const bool adds = !options.output.empty() && options.output != "-" && existing;
  writeText(options, compileCommands(std::string(file), std::string(folder),
                                     sortUserFlags(options.parse.flags), toolchain,
                                     adds ? (*existing)->getBuffer().str() : ""));
  return Outcome::made;
}

void checkStepName(const std::string& name) {
  if (name.empty() || std::ranges::find(kSteps, name) != std::end(kSteps)) {
    return;
  }
  std::string known;
  for (const std::string_view step : kSteps) {
    known += (known.empty() ? "" : ", ") + std::string(step);
  }
  throw UserError("--dump-after=" + name + ": there is no such step; the steps are " + known);
}

}  // namespace

const char* currentStep() { return running_step; }

Outcome runPipeline(const PipelineOptions& options, const Toolchain& toolchain) {
  checkStepName(options.dump_after);
  if (options.emit == Emit::compile_commands) {
    return writeCompileCommands(options, toolchain);
  }
  Corridor corridor(options);
  Source source = read(corridor, options, options.parse, toolchain);
  if (source.program && options.sequential) {
    return buildSequential(corridor, options, toolchain, *source.parsed, *source.program);
  }
  const bool sound = source.program && corridor.run("CheckMarks", [&] {
    return checkMarks(*source.parsed, *source.program, *source.diagnostics);
  });
  if (!sound ||
      (cutsAlongComponents(options, source) && !cutProgram(corridor, options, toolchain, source))) {
    return finish(options, *source.parsed);
  }
  const auto split = corridor.run(
      "SplitProgram", [&] { return splitProgram(*source.program, *source.diagnostics); });
  if (!split && !source.parsed->options().text.empty()) {
    source.diagnostics->report(source.program->entry->getLocation(), Message::note_inferred)
        << source.program->entry;
  }
  // Under -verify or --fix the messages were all that was wanted.
  if (!split || verifies(*source.parsed) || options.parse.apply_fixes) {
    return finish(options, *source.parsed);
  }
  return emitSplit(corridor, options, toolchain, *source.parsed, *source.program, *split);
}

}  // namespace fdg::compiler
