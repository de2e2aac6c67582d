// Which fragment owns what: the result of AssignFragments, read by the steps behind it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/Graph.h"

namespace fdg::compiler {

enum class Share {
  owned,      ///< By exactly one fragment.
  free,       ///< Copied: depends on the config, constants, counters and free statements.
  derived,    ///< Copied: reads received values too.
  structural  ///< Jumps and annotations as statements.
};

/// One value of one annotation: `values[index]` of the annotation at `node`.
struct CommonValue {
  int node = -1;
  size_t index = 0;
  int definition = -1;
  int producer = -1;     ///< Fragment.
  bool is_free = false;  ///< Everyone can compute it.
};

/// Why two elements are in one fragment: a value that is not cut, or a component both touch.
struct Link {
  int a = -1, b = -1;
  const clang::ValueDecl* variable = nullptr;
  bool object = false;
};

struct Component {
  const clang::ValueDecl* variable = nullptr;
  std::string role;  ///< Empty: none.
  int element = -1;
  int fragment = -1;
};

/// Elements are numbered: nodes, then common values, then components.
struct Assignment {
  std::vector<Share> share;   ///< By node.
  std::vector<int> fragment;  ///< By node; -1 unless owned.
  std::vector<CommonValue> values;
  std::map<int, int> value_of;  ///< By definition: index into `values`.
  std::vector<Component> components;
  std::vector<Link> links;
  std::vector<std::string> names;  ///< By fragment.
  int nodes = 0;

  int fragments() const { return static_cast<int>(names.size()); }
  bool isCopied(int node) const {
    return share[static_cast<size_t>(node)] == Share::free ||
           share[static_cast<size_t>(node)] == Share::derived;
  }
  int elementOfValue(size_t value) const { return nodes + static_cast<int>(value); }
  /// The shortest chain of links from one element to another, both ends included; empty if there is
  /// none.
  std::vector<int> path(int from, int to) const;
};

}  // namespace fdg::compiler
