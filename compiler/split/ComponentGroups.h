// Graph → the components of a program, which of them belong together, and which values go from one
// such group to another (language.md, "How the function is split", rule 12).
//
// At first each component is a group of its own, but those of one role that meet in one statement
// are joined; the steps of inference join more. A value crosses
// if a statement of another group uses it, directly or through statements that touch no component,
// and if no annotation stands between. One thread; cost: a walk over the edges per value.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/graph/Graph.h"

namespace fdg::compiler {

class ComponentGroups {
 public:
  using Object = const clang::ValueDecl*;  ///< A component's variable.

  explicit ComponentGroups(const Graph& graph);

  const std::vector<Object>& objects() const { return objects_; }
  bool isObject(Object object) const { return leader_.count(object) > 0; }
  /// The group as the first of its components.
  Object find(Object object) const;
  void join(Object a, Object b);
  /// The groups that a node touches.
  std::set<Object> of(int node) const;
  int count() const;
  /// Roles of a group's components, or their variables' names, joined with `+`, made unique by
  /// number.
  std::string name(Object group) const;
  /// The names of some groups, in order: "'actor' and 'learner'".
  std::string names(const std::set<Object>& groups) const;
  /// Two components of one role, but different groups, meet in the node: they stay together.
  bool belongTogether(int node, Object& a, Object& b) const;

 private:
  /// Tensors that an optimiser writes in place cannot be elsewhere too: who uses them stays with it.
  void joinHolders();
  std::string roles(Object group) const;

  const Graph& graph_;
  std::vector<Object> objects_;
  std::map<Object, Object> leader_;
};

/// A definition whose value goes from one group to others.
struct Crossing {
  int definition = -1;
  ComponentGroups::Object from = nullptr;  ///< Null: made by an impure statement of no component.
  std::set<ComponentGroups::Object> to;    ///< Groups; empty for what only decides about others.
  std::set<int> users;                     ///< Nodes of other groups, or the sink that joins them.
};

std::vector<Crossing> findCrossings(const Graph& graph, const ComponentGroups& groups);

/// Conditions that read a definition, directly or through statements that touch no component.
std::set<int> conditionsOn(const Graph& graph, const ComponentGroups& groups, int definition);

}  // namespace fdg::compiler
