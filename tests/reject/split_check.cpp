// split_check PROGRAM.cpp HEADER PRECOMPILED STEP [clang flags]: fdgc's corridor with the stub
// library.
//
// Prints the graph and the coverage of a program that is accepted; with `-Xclang -verify` among the
// flags it compares what is said with the program's own expectations. Exit codes as fdgc's.
#include <string>
#include <vector>

#include "base/Check.h"
#include "compiler/Pipeline.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char** argv) {
  if (argc < 5) {
    llvm::errs() << "usage: split_check PROGRAM HEADER PRECOMPILED EMIT|- [flags]\n";
    return 2;
  }
  fdg::compiler::Toolchain toolchain;
  toolchain.clang = FDG_CLANGXX;
  toolchain.header = argv[2];
  toolchain.precompiled = argv[3];
  toolchain.flags = {"-std=c++20", "-DFDG_PLAN", "-I" FDG_SOURCE, "-I" FDG_SOURCE "/include"};
  fdg::compiler::PipelineOptions options;
  options.parse.file = argv[1];
  options.parse.flags.assign(argv + 5, argv + argc);
  const std::string emit = argv[4];
  options.emit = emit == "manifest"   ? fdg::compiler::Emit::manifest
                 : emit == "html"     ? fdg::compiler::Emit::html
                 : emit == "svg"      ? fdg::compiler::Emit::svg
                 : emit == "cpp"      ? fdg::compiler::Emit::cpp
                 : emit == "coverage" ? fdg::compiler::Emit::coverage
                                      : fdg::compiler::Emit::graph;
  options.parse.apply_fixes = emit == "fix" || emit == "fix-components";
  options.cuts = emit == "components" || emit == "fix-components" ? fdg::compiler::Cuts::components
                                                                  : options.cuts;
  options.diagnostics.show_remarks = emit != "quiet";
  try {
    const auto outcome = runPipeline(options, toolchain);
    llvm::outs().flush();
    return static_cast<int>(outcome);
  } catch (const fdg::UserError& error) {
    llvm::errs() << error.what() << "\n";
    return 2;
  }
}
