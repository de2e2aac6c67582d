// fdgc: the door. Reads the command line, runs the corridor, turns its outcome into the exit code:
// 0 made, 1 the program is wrong, 2 the call is wrong, 3 our bug.
#include "base/Check.h"
#include "compiler/read/ParseProgram.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
int main(int argc, char** argv) {
  using namespace fdg::compiler;
  static int anchor;
  const std::string self = llvm::sys::fs::getMainExecutable(argv[0], &anchor);
  try {
    ParseOptions options;
    options.file = argc > 1 ? argv[1] : "";
    for (int i = 2; i < argc; ++i) options.flags.push_back(argv[i]);
    auto program = parseProgram(options, readToolchain(self));
    if (!program) return 1;
    llvm::errs() << program->entryName() << "\n";
    return program->finish() ? 0 : 1;
  } catch (const fdg::UserError& error) {
    llvm::errs() << "fdgc: " << error.what() << "\n";
    return 2;
  }
}
