#include "compiler/emit/Coverage.h"

#include "compiler/emit/StatementList.h"
#include "compiler/graph/Nodes.h"

namespace fdg::compiler {
namespace {

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

/// A control statement stands in every fragment that holds something under it; its condition has
/// one owner. A jump that nobody keeps governs nothing that anybody keeps: a `return;` at the end,
/// a break in an empty switch.
bool isCovered(const ListedStatement& listed, const std::set<const clang::Stmt*>& ends_of_cases) {
  const size_t count = listed.fragments.size();
  if (listed.kind == StatementKind::owned && !listed.is_control) {
    return count == 1;
  }
  return count >= 1 || listed.kind == StatementKind::copied || listed.kind == StatementKind::jump ||
         ends_of_cases.contains(listed.stmt);
}

}  // namespace

Coverage coverageOf(const Program& program, const Split& split) {
  const std::set<const clang::Stmt*> ends_of_cases = endsOfCases(program);
  Coverage coverage;
  for (const ListedStatement& listed : listStatements(program, split)) {
    std::string holders;
    for (const int fragment : listed.fragments) {
      holders +=
          (holders.empty() ? "" : ", ") + split.fragments[static_cast<size_t>(fragment)].info.name;
    }
    const std::string place = std::to_string(listed.line);
    coverage.text += place + ": " + kindName(listed.kind) +
                     (holders.empty() ? "" : " by " + holders) + ": " + program.text(listed.stmt) +
                     "\n";
    if (!isCovered(listed, ends_of_cases)) {
      coverage.uncovered.push_back("line " + place + ": " + program.text(listed.stmt));
    }
  }
  return coverage;
}

}  // namespace fdg::compiler
