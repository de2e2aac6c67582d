// The corridor: source file → plan, step by step. Pipeline.cpp reads as the list of the steps.
//
// Each step has a name; --time-steps prints what each took, --dump-after=STEP what it made.
// Messages about the program go to the error stream through Clang. One thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/read/Diagnostics.h"
#include "compiler/read/ParseProgram.h"
#include "compiler/read/Toolchain.h"

namespace fdg::compiler {

enum class Emit { plan, graph, coverage, cpp, manifest, svg, html, compile_commands };

/// Where a program is cut.
enum class Cuts {
  by_program,  ///< At its annotations; along its components if it has none.
  annotated,   ///< At its annotations only.
  components   ///< At its annotations, and along the components that they leave joined.
};

struct PipelineOptions {
  ParseOptions parse;
  Emit emit = Emit::plan;
  bool sequential = false;        ///< The plain executable instead of a plan.
  std::string output;             ///< Empty: named after the source, or standard output for texts.
  Cuts cuts = Cuts::by_program;
  DiagnosticSettings diagnostics;
  std::string dump_after;
  bool time_steps = false;
};

enum class Outcome { made = 0, program_is_wrong = 1, we_are_wrong = 3 };

/// Throws UserError where the call is wrong (files, flags, unknown step).
Outcome runPipeline(const PipelineOptions& options, const Toolchain& toolchain);

/// The step that is running, for the report of a crash.
const char* currentStep();

}  // namespace fdg::compiler
