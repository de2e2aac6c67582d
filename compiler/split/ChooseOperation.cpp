#include "compiler/split/ChooseOperation.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"
#include "compiler/read/Entities.h"
#include "compiler/read/RowTypes.h"
#include "compiler/read/Types.h"
#include "compiler/split/ComponentCalls.h"

namespace fdg::compiler {
namespace {

using Object = ComponentGroups::Object;

bool isRows(OperationKind operation) {
  return operation == OperationKind::gather || operation == OperationKind::scatter ||
         operation == OperationKind::append;
}

/// By a statement, before an annotation.
bool isUsed(const Graph& graph, int definition) {
  const auto& uses = graph.data.out_of[static_cast<size_t>(definition)];
  return !uses.empty() && std::none_of(uses.begin(), uses.end(), [&](int e) {
    return graph.nodes[graph.edge(e).node].kind == NodeKind::annotation;
  });
}

bool decidesForOthers(const Graph& graph, const ComponentGroups& groups, int definition) {
  const std::set<Object> own = groups.of(graph.definition(definition).node);
  for (const int condition : conditionsOn(graph, groups, definition)) {
    for (int n = condition + 1; n <= graph.nodes[condition].last; ++n) {
      const std::set<Object> touched = groups.of(n);
      if (!touched.empty() && touched != own) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

OperationChooser::OperationChooser(const Graph& graph, const ComponentGroups& groups,
                                   const std::vector<Crossing>& crossings)
    : graph_(graph),
      groups_(groups),
      crossings_(crossings),
      share_(graph.data.definitions.size(), false) {
  for (int n = 0; n < graph.nodes.size(); ++n) {
    for (const Touch& touch : graph.at(n).touches) {
      if (touch.declares && graph.at(n).reads_rows) {
        by_rows_.insert(touch.object);
      }
    }
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (int n = 0; n < graph.nodes.size(); ++n) {
      grown |= raise(n);
    }
  }
}

bool OperationChooser::raise(int node) {
  bool grown = false;
  for (const int d : graph_.data.defined_by[static_cast<size_t>(node)]) {
    const auto annotation = graph_.program.annotations.find(graph_.nodes[node].stmt);
    const bool share = annotation != graph_.program.annotations.end()
                           ? isRows(annotation->second.operation)
                           : isShare(node);
    grown |= share && !share_[static_cast<size_t>(d)];
    share_[static_cast<size_t>(d)] = share_[static_cast<size_t>(d)] || share;
  }
  return grown;
}

bool OperationChooser::isShare(int node) const {
  if (graph_.at(node).reads_rows) {
    return true;
  }
  for (const int e : graph_.data.into[static_cast<size_t>(node)]) {
    if (share_[static_cast<size_t>(graph_.edge(e).definition)]) {
      return true;
    }
  }
  return std::any_of(graph_.at(node).touches.begin(), graph_.at(node).touches.end(),
                     [&](const Touch& touch) {
                       const std::string role = roleOf(touch.object->getType());
                       return role == "environment" || role == "actor" ||
                              (role.empty() && by_rows_.count(touch.object) > 0);
                     });
}

OperationKind OperationChooser::choose(const Crossing& crossing) const {
  const int d = crossing.definition;
  if (isGradient(d)) {
    return OperationKind::reduce_mean;
  }
  if (isSizeOfBuffer(d)) {
    return OperationKind::reduce_sum;
  }
  if (!share_[static_cast<size_t>(d)] || !holdsRows(graph_.definition(d).variable->getType())) {
    return OperationKind::broadcast;
  }
  if (onlyForBuffers(crossing)) {
    return OperationKind::append;
  }
  const int from = width(crossing.from);
  const bool widens =
      !crossing.to.empty() && std::all_of(crossing.to.begin(), crossing.to.end(),
                                          [&](Object group) { return width(group) > from; });
  return widens ? OperationKind::scatter : OperationKind::gather;
}

/// Buffers take any number of rows from those who act, unless they must match those of another
/// value.
bool OperationChooser::onlyForBuffers(const Crossing& crossing) const {
  const std::string maker = crossing.from == nullptr ? "" : roleOf(crossing.from->getType());
  if (maker != "actor" && maker != "environment") {
    return false;
  }
  for (const int user : crossing.users) {
    for (const Touch& touch : graph_.at(user).touches) {
      if (roleOf(touch.object->getType()) != "buffer") {
        return false;
      }
    }
    for (const Crossing& other : crossings_) {
      if (other.definition != crossing.definition && other.users.count(user) > 0) {
        return false;
      }
    }
  }
  return !crossing.users.empty() && !crossing.to.empty();
}

/// Which side of a boundary has the more replicas, as a rule.
int OperationChooser::width(Object group) const {
  const std::string role = group == nullptr ? "" : roleOf(group->getType());
  return role == "environment" ? 4 : role == "actor" ? 3 : role == "learner" ? 2 : 1;
}

bool OperationChooser::isGradient(int definition) const {
  return soleMethod(graph_.definition(definition).node, "learner").find("grad") !=
         std::string::npos;
}

bool OperationChooser::isSizeOfBuffer(int definition) const {
  const Definition& made = graph_.definition(definition);
  return made.variable->getType()->isIntegerType() && soleMethod(made.node, "buffer") == "size";
}

bool OperationChooser::goesBack(int definition) const {
  const int made = graph_.definition(definition).node;
  const std::set<Object> own = groups_.of(made);
  const bool by_rows = std::ranges::any_of(graph_.at(made).touches, [&](const Touch& touch) {
    return by_rows_.count(touch.object) > 0;
  });
  return !soleMethod(made, "learner").empty() && !isGradient(definition) &&
         (by_rows || share_[static_cast<size_t>(definition)]) &&
         std::ranges::any_of(graph_.data.out_of[static_cast<size_t>(definition)],
                             [&](int e) { return groups_.of(graph_.edge(e).node) == own; });
}

/// The method whose result is all that a statement takes from a component of that role.
std::string OperationChooser::soleMethod(int node, const char* role) const {
  const clang::Expr* call = soleCall(graph_, groups_, node);
  const auto* member = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(call);
  const auto* method = member == nullptr ? nullptr : member->getMethodDecl();
  return method != nullptr && method->getIdentifier() != nullptr &&
                 roleOf(calledOn(graph_, groups_, call)->getType()) == role
             ? method->getNameAsString()
             : "";
}

std::vector<Crossing> crossingsAndSettled(const Graph& graph, const ComponentGroups& groups) {
  std::vector<Crossing> crossings = findCrossings(graph, groups);
  std::set<int> known;
  for (const Crossing& crossing : crossings) {
    known.insert(crossing.definition);
  }
  const OperationChooser chooser(graph, groups, crossings);
  std::vector<Crossing> settled;
  for (int d = 0; d < static_cast<int>(graph.data.definitions.size()); ++d) {
    const bool settles = (chooser.isGradient(d) && isUsed(graph, d)) ||
                         (chooser.isSizeOfBuffer(d) && decidesForOthers(graph, groups, d));
    if (settles && known.count(d) == 0) {
      settled.push_back({d, *groups.of(graph.definition(d).node).begin(), {}, {}});
    }
  }
  crossings.insert(crossings.end(), settled.begin(), settled.end());
  return crossings;
}

}  // namespace fdg::compiler
