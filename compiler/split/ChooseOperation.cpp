#include "compiler/split/ChooseOperation.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"
#include "compiler/read/Types.h"
#include "compiler/split/PartStatement.h"

namespace fdg::compiler {
namespace {

using Object = ComponentGroups::Object;

bool isRows(OperationKind operation) {
  return operation == OperationKind::gather || operation == OperationKind::scatter ||
         operation == OperationKind::append;
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
  const TypeKind kind = kindOf(graph_.definition(d).variable->getType());
  if (!share_[static_cast<size_t>(d)] || kind == TypeKind::plain || kind == TypeKind::text) {
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

}  // namespace fdg::compiler
