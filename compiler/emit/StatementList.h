// Split program → its statements as people read them: what the picture and the page show.
//
// One entry per statement, condition, jump and annotation, in source order. Cheap; one thread.
#pragma once

#include <string>
#include <vector>

#include "compiler/read/ReadAnnotations.h"
#include "compiler/split/Split.h"

namespace fdg::compiler {

enum class StatementKind {
  owned,   ///< One fragment has it.
  copied,  ///< Free or derived: every fragment that needs it has a copy.
  shared,  ///< A loop or branch without a condition of its own: where anything under it is.
  jump,
  annotation
};

struct ListedStatement {
  const clang::Stmt* stmt = nullptr;
  StatementKind kind = StatementKind::owned;
  bool is_control = false;
  bool in_header = false;       ///< Init or increment: the loop's own entry shows it too.
  int owner = -1;               ///< Fragment id; -1: none.
  std::vector<int> fragments;   ///< Ids of those that have it, ascending.
  std::vector<int> boundaries;  ///< Ids of what crosses here: an annotation's, or a condition's.
  int depth = 0;                ///< Control statements around it.
  int line = 0;
  int last_line = 0;  ///< Of a control statement: of its head.
  std::string text;   ///< On one line; of a control statement its head: "for (…)".
};

std::vector<ListedStatement> listStatements(const Program& program, const Split& split);

const char* kindName(StatementKind kind);

}  // namespace fdg::compiler
