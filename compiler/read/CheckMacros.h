// What the preprocessor did → refuses what it does to the training function's text and cannot do to
// copies of it.
//
// Macros that change inside the function, and macros with names that the generated code uses.
// (CheckSource refuses macros that tear statements apart.) True if nothing was refused. Cost: one
// look at each macro of the program's files.
#pragma once

#include "clang/AST/Decl.h"
#include "compiler/read/Diagnostics.h"
#include "compiler/read/ParseProgram.h"

namespace fdg::compiler {

bool checkMacros(const ParsedProgram& parsed, const clang::FunctionDecl& entry,
                 Diagnostics& diagnostics);

}  // namespace fdg::compiler
