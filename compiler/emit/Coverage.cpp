#include "compiler/emit/Coverage.h"

#include <algorithm>

#include "compiler/graph/Nodes.h"

namespace fdg::compiler {
namespace {

struct Line {
  int number = 0;
  const clang::Stmt* stmt = nullptr;
};

std::string kindOf(const Program& program, const Split& split, const clang::Stmt* stmt) {
  if (program.annotations.contains(stmt)) {
    return "annotation";
  }
  if (llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(stmt)) {
    return "jump";
  }
  if (split.free_or_derived.contains(stmt)) {
    return "copied";
  }
  return split.owner.contains(stmt) ? "owned" : "shared";
}

/// The break that ends a case: whoever keeps the switch has it.
std::set<const clang::Stmt*> endsOfCases(const Program& program) {
  const Nodes nodes = buildNodes(program);
  std::set<const clang::Stmt*> ends;
  for (const auto& [jump, target] : jumpTargets(nodes)) {
    if (llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(nodes[target].stmt) &&
        nodes[nodes.of(jump)].parent == target) {
      ends.insert(jump);
    }
  }
  return ends;
}

bool isControl(const clang::Stmt* stmt) {
  return llvm::isa<clang::IfStmt, clang::SwitchStmt, clang::ForStmt, clang::WhileStmt,
                   clang::DoStmt, clang::CXXForRangeStmt>(stmt);
}

}  // namespace

Coverage coverageOf(const Program& program, const Split& split) {
  std::vector<Line> lines;
  for (const auto& [stmt, number] : split.number) {
    lines.push_back({number, stmt});
  }
  std::ranges::sort(lines, {}, &Line::number);
  const std::set<const clang::Stmt*> ends_of_cases = endsOfCases(program);
  Coverage coverage;
  for (const Line& line : lines) {
    std::string holders;
    int count = 0;
    for (const FragmentPart& part : split.fragments) {
      if (part.keeps.contains(line.stmt)) {
        holders += (holders.empty() ? "" : ", ") + part.info.name;
        ++count;
      }
    }
    const std::string kind = kindOf(program, split, line.stmt);
    const std::string place = std::to_string(program.line(line.stmt->getBeginLoc()));
    const std::string text = program.text(line.stmt);
    coverage.text +=
        place + ": " + kind + (holders.empty() ? "" : " by " + holders) + ": " + text + "\n";
    // A control statement stands in every fragment that holds something under it; its condition has
    // one owner. A jump that nobody keeps governs nothing that anybody keeps: a `return;` at the
    // end, a break in an empty switch.
    const bool right =
        kind == "owned" && !isControl(line.stmt)
            ? count == 1
            : count >= 1 || kind == "copied" || kind == "jump" || ends_of_cases.contains(line.stmt);
    if (!right) {
      coverage.uncovered.push_back("line " + place + ": " + text);
    }
  }
  return coverage;
}

}  // namespace fdg::compiler
