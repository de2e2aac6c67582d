// Split program → the C++ file that becomes the plan.
//
// The user's file with the training function replaced in place by an instrumented sequential copy
// and one coroutine per fragment; behind it the names of the config's fields and the table that
// fdg-run loads. All types, helpers and includes of the file are there, messages point into the
// user's file. The same program gives the same text. One thread.
#pragma once

#include <string>

#include "compiler/read/ReadAnnotations.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

/// `file` is the user's file as messages shall name it.
std::string emitFragments(const Program& program, const Split& split, const std::string& file);

/// What emitFragments puts where: in place of the training function, and behind the file. A file with
/// several programs takes the projections of all.
struct Projection {
  unsigned begin = 0, end = 0;  ///< The training function in the text of the file.
  std::string functions;
  std::string tables;
};
Projection project(const Program& program, const Split& split, const std::string& file);

/// The user's file as an executable's source: fdgc tells the library the config's field names, so
/// that
/// --set works, and gives the file its main. `mark` is the offset of FDG_PROGRAM, or the end of the
/// file (then a main is added).
std::string emitSequentialProgram(const Program& program, const std::string& file,
                                  std::optional<clang::SourceLocation> mark);

/// The function's name in generated code: "fdgFragment_buffer_learner".
std::string fragmentFunction(const FragmentInfo& fragment);

}  // namespace fdg::compiler
