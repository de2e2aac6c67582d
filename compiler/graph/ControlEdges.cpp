#include "compiler/graph/ControlEdges.h"

namespace fdg::compiler {

bool ControlEdges::returns(int jump) const {
  return llvm::isa<clang::ReturnStmt>(nodes_[jump].stmt);
}

bool ControlEdges::governs(int jump, int held) const {
  const Node& node = nodes_[jump];
  if (held == jump) {
    return false;
  }
  if (returns(jump)) {
    if (held > jump) {
      return true;
    }
    for (int loop = node.loop; loop >= 0; loop = nodes_[loop].loop) {
      if (held == loop || nodes_.isInside(held, loop)) {
        return true;
      }
    }
    return false;
  }
  const auto target = targets_.find(node.stmt);
  if (target == targets_.end() || target->second < 0) {
    return false;
  }
  const int loop = target->second;
  if (llvm::isa<clang::BreakStmt>(node.stmt)) {
    return held == loop || nodes_.isInside(held, loop);
  }
  return held > jump && nodes_.isInside(held, loop);
}

}  // namespace fdg::compiler
