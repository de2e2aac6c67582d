#include "compiler/split/Layouts.h"

#include <algorithm>
#include <set>

namespace fdg::compiler {
namespace {

Layout ofOperation(OperationKind operation) {
  const bool rows = operation == OperationKind::gather || operation == OperationKind::scatter ||
                    operation == OperationKind::append;
  return rows ? Layout::share : Layout::whole;
}

class Inference {
 public:
  Inference(const Graph& graph, const Assignment& assignment)
      : graph_(graph), assignment_(assignment) {
    result_.of_definition.assign(graph.data.definitions.size(), Layout::whole);
    result_.of_node.assign(static_cast<size_t>(graph.nodes.size()), Layout::whole);
    result_.from_rows.assign(static_cast<size_t>(graph.nodes.size()), false);
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
      layout = std::max(layout, result_.of_definition[static_cast<size_t>(d)]);
      from_rows |= assignment_.isCopied(n) &&
                   result_.from_rows[static_cast<size_t>(graph_.definition(d).node)];
    }
    for (const Touch& touch : graph_.at(n).touches) {
      layout = std::max(layout, shared_.count(touch.object) > 0 ? Layout::share : Layout::unknown);
    }
    if (!graph_.at(n).impurities.empty() || !graph_.at(n).globals.empty()) {
      layout = std::max(layout, Layout::unknown);
    }
    // A value that is assigned or not as a share decides is a share itself.
    for (int around = graph_.nodes[n].parent; around >= 0; around = graph_.nodes[around].parent) {
      if (result_.of_node[static_cast<size_t>(around)] == Layout::share) {
        layout = Layout::share;
      }
    }
    bool grown = raise(result_.of_node[static_cast<size_t>(n)], layout);
    if (from_rows && !result_.from_rows[static_cast<size_t>(n)]) {
      result_.from_rows[static_cast<size_t>(n)] = true;
      grown = true;
    }
    for (const int d : graph_.data.defined_by[static_cast<size_t>(n)]) {
      const Layout made = graph_.definition(d).annotation ? ofOperation(operationAt(n))
                                                          : result_.of_node[static_cast<size_t>(n)];
      grown |= raise(result_.of_definition[static_cast<size_t>(d)], made);
    }
    return grown;
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
  Layouts result_;
  std::set<const clang::ValueDecl*> shared_;
};

}  // namespace

Layouts inferLayouts(const Graph& graph, const Assignment& assignment) {
  return Inference(graph, assignment).infer();
}

}  // namespace fdg::compiler
