#include "compiler/split/Layouts.h"

#include <algorithm>
#include <set>

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

bool isPlain(clang::QualType type) { return kindOf(type) == TypeKind::plain; }

Layout ofOperation(OperationKind operation) {
  const bool rows = operation == OperationKind::gather || operation == OperationKind::scatter ||
                    operation == OperationKind::append;
  return rows ? Layout::share : Layout::whole;
}

bool isFixedArray(clang::QualType type) {
  type = type.getNonReferenceType();
  return type->isConstantArrayType() || isNamed(type->getAsCXXRecordDecl(), "std::array");
}

/// Uses of components other than `array.size()`.
class OtherUses final : public clang::RecursiveASTVisitor<OtherUses> {
 public:
  bool TraverseCXXMemberCallExpr(clang::CXXMemberCallExpr* call) {
    const auto* method = call->getMethodDecl();
    const bool length = method != nullptr && method->getIdentifier() != nullptr &&
                        method->getName() == "size" &&
                        isFixedArray(call->getImplicitObjectArgument()->getType());
    return length || RecursiveASTVisitor::TraverseCXXMemberCallExpr(call);
  }
  bool VisitCallExpr(clang::CallExpr* /*any*/) {
    found = true;  // it may use what it does not name
    return false;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    found |= isComponent(e->getDecl()->getType());
    return !found;
  }
  bool found = false;
};

class Inference {
 public:
  Inference(const Graph& graph, const Assignment& assignment, const Needs& needs)
      : graph_(graph), assignment_(assignment), needs_(needs) {
    result_.of_definition.assign(graph.data.definitions.size(), Layout::whole);
    result_.of_node.assign(static_cast<size_t>(graph.nodes.size()), Layout::whole);
    result_.computed = result_.of_node;
    result_.from_rows.assign(static_cast<size_t>(graph.nodes.size()), false);
    for (int n = 0; n < graph.nodes.size(); ++n) {
      if (graph.nodes[n].kind == NodeKind::jump) {
        jumps_.push_back(n);
      }
    }
  }

  Layouts infer() {
    findSharedComponents();
    for (bool grown = true; grown;) {
      grown = false;
      for (int n = 0; n < graph_.nodes.size(); ++n) {
        grown |= raiseNode(n);
      }
    }
    return std::move(result_);
  }

 private:
  /// Components that are sized by run.rows and are never told a value that all replicas share.
  void findSharedComponents() {
    std::set<const clang::ValueDecl*> told;
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      const bool rows = graph_.at(n).reads_rows;
      const bool hears_whole = hearsWhole(n);
      for (const Touch& touch : graph_.at(n).touches) {
        if (touch.declares && rows) {
          shared_.insert(touch.object);
        }
        if (hears_whole) {
          told.insert(touch.object);
        }
      }
    }
    for (const auto* component : told) {
      shared_.erase(component);
    }
  }

  /// A loop over a std::array of components, or to its size().
  bool asksLengthOnly(int n) const {
    const clang::Expr* condition =
        graph_.nodes[n].kind == NodeKind::condition ? conditionOf(graph_.nodes[n].stmt) : nullptr;
    if (condition == nullptr || conditionVariable(graph_.nodes[n].stmt) != nullptr) {
      return false;
    }
    if (llvm::isa<clang::CXXForRangeStmt>(graph_.nodes[n].stmt)) {
      return isFixedArray(condition->getType());
    }
    OtherUses uses;
    uses.TraverseStmt(const_cast<clang::Expr*>(condition));
    return !uses.found;
  }

  bool hearsWhole(int n) const {
    return std::any_of(graph_.data.into[static_cast<size_t>(n)].begin(),
                       graph_.data.into[static_cast<size_t>(n)].end(), [&](int e) {
                         const Definition& definition =
                             graph_.definition(graph_.edge(e).definition);
                         return definition.annotation &&
                                ofOperation(operationAt(definition.node)) == Layout::whole;
                       });
  }

  OperationKind operationAt(int annotation) const {
    return graph_.program.annotations.at(graph_.nodes[annotation].stmt).operation;
  }

  bool raiseNode(int n) {
    Layout layout = graph_.at(n).reads_rows ? Layout::share : Layout::whole;
    bool from_rows = graph_.at(n).reads_rows && assignment_.isCopied(n);
    for (const int e : graph_.data.into[static_cast<size_t>(n)]) {
      const int d = graph_.edge(e).definition;
      layout = std::max(layout, ofRead(graph_.edge(e)));
      from_rows |= assignment_.isCopied(n) &&
                   result_.from_rows[static_cast<size_t>(graph_.definition(d).node)];
    }
    for (const Touch& touch : graph_.at(n).touches) {
      if (asksLengthOnly(n)) {
        break;  // as many as the array's type says
      }
      layout = std::max(layout, shared_.count(touch.object) > 0 ? Layout::share : Layout::unknown);
    }
    if (!graph_.at(n).impurities.empty() || !graph_.at(n).globals.empty()) {
      layout = std::max(layout, Layout::unknown);
    }
    result_.computed[static_cast<size_t>(n)] = layout;
    layout = std::max({layout, ofConditions(n), ofJumps(n)});
    bool grown = raise(result_.of_node[static_cast<size_t>(n)], layout);
    if (from_rows && !result_.from_rows[static_cast<size_t>(n)]) {
      result_.from_rows[static_cast<size_t>(n)] = true;
      grown = true;
    }
    for (const int d : graph_.data.defined_by[static_cast<size_t>(n)]) {
      const Layout made = graph_.definition(d).annotation ? ofCommon(graph_.definition(d))
                                                          : result_.of_node[static_cast<size_t>(n)];
      grown |= raise(result_.of_definition[static_cast<size_t>(d)], made);
    }
    return grown;
  }

  /// Plain numbers that cross with rows must be equal on all replicas (the run checks it).
  Layout ofCommon(const Definition& definition) const {
    const OperationKind operation = operationAt(definition.node);
    return operation != OperationKind::append && isPlain(definition.variable->getType())
               ? Layout::whole
               : ofOperation(operation);
  }

  Layout ofRead(const Edge& edge) const {
    const Definition& definition = graph_.definition(edge.definition);
    const bool plain_field = definition.annotation && edge.field != nullptr &&
                             isPlain(edge.field->getType()) &&
                             operationAt(definition.node) != OperationKind::append;
    return plain_field ? Layout::whole
                       : result_.of_definition[static_cast<size_t>(edge.definition)];
  }

  /// A value that is made or not as a share decides is a share itself. An outcome that is told to
  /// others is the same for all who hear it; that its owner's replicas agree is the owner's fact.
  Layout ofConditions(int n) const {
    Layout layout = Layout::whole;
    for (int around = graph_.nodes[n].parent; around >= 0; around = graph_.nodes[around].parent) {
      const auto told = needs_.asks.find(around);
      if (told == needs_.asks.end() || told->second.empty()) {
        layout = std::max(layout, result_.of_node[static_cast<size_t>(around)]);
      }
    }
    return layout;
  }

  /// So is one that a jump may skip or repeat.
  Layout ofJumps(int n) const {
    Layout layout = Layout::whole;
    for (const int jump : jumps_) {
      if (graph_.control.governs(jump, n)) {
        layout = std::max(layout, ofConditions(jump));
      }
    }
    return layout;
  }

  static bool raise(Layout& layout, Layout to) {
    if (to <= layout) {
      return false;
    }
    layout = to;
    return true;
  }

  const Graph& graph_;
  const Assignment& assignment_;
  const Needs& needs_;
  Layouts result_;
  std::set<const clang::ValueDecl*> shared_;
  std::vector<int> jumps_;
};

}  // namespace

Layouts inferLayouts(const Graph& graph, const Assignment& assignment, const Needs& needs) {
  return Inference(graph, assignment, needs).infer();
}

}  // namespace fdg::compiler
