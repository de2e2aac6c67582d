// Nodes → what jumps govern (language.md, rule 9). What conditions govern is the nesting in Nodes.
//
// A break governs its whole loop or switch, a continue what follows it in the body, a return every
// loop around it and all that follows it. Cost: a lookup.
#pragma once

#include <map>

#include "compiler/graph/Nodes.h"

namespace fdg::compiler {

class ControlEdges {
 public:
  explicit ControlEdges(const Nodes& nodes) : nodes_(nodes), targets_(jumpTargets(nodes)) {}

  /// Whether a fragment that holds node `held` must take the jump.
  bool governs(int jump, int held) const;
  /// Whether the jump ends the function.
  bool returns(int jump) const;

 private:
  const Nodes& nodes_;
  std::map<const clang::Stmt*, int> targets_;
};

}  // namespace fdg::compiler
