// Structured code and what its nodes read and write → which definitions reach which uses.
//
// One forward walk over the statements as they are nested: branches join, loops are repeated until
// nothing changes, jumps carry what holds to where they go. A field of a variable is told apart
// from the whole. Edges only ever grow, so the walk may be repeated with more definitions. Cost: a
// few walks per nested loop.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/graph/DataEdges.h"

namespace fdg::compiler {

/// Which definitions of which places may hold at one point. A field without an entry is as the
/// whole variable.
class ReachingState {
 public:
  bool reachable = false;

  void join(const ReachingState& other);
  /// What a read of the variable, or of one field of it, may see.
  std::set<int> reaching(const clang::ValueDecl* variable, const clang::FieldDecl* field) const;
  void define(const clang::ValueDecl* variable, const clang::FieldDecl* field, int definition,
              bool kills);
  std::set<const clang::ValueDecl*> variables() const;
  bool operator==(const ReachingState& other) const {
    return reachable == other.reachable && held_ == other.held_;
  }

 private:
  using Held = std::map<std::pair<const clang::ValueDecl*, const clang::FieldDecl*>, std::set<int>>;

  std::set<int> ofField(const clang::ValueDecl* variable, const clang::FieldDecl* field) const;
  Held::iterator upperBound(const clang::ValueDecl* variable);

  Held held_;
};

struct Reaching {
  std::set<Edge> edges;  ///< `carried` is not set yet.
  std::map<int, ReachingState>
      before_writes;  ///< By node with an in-place write: what holds before it.
};

/// `ids` gives each access of a node the number of the definition that it is; -1: none.
Reaching findReaching(const Program& program, const Nodes& nodes,
                      const std::vector<std::vector<Access>>& accesses,
                      const std::vector<std::vector<int>>& ids);

}  // namespace fdg::compiler
