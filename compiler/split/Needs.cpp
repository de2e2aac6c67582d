#include "compiler/split/Needs.h"

namespace fdg::compiler {
namespace {

class Finder {
 public:
  Finder(const Graph& graph, const Assignment& assignment)
      : graph_(graph), assignment_(assignment) {
    needs_.keeps.resize(static_cast<size_t>(assignment.fragments()));
    needs_.receives.resize(assignment.values.size());
    needs_.producer_reads.assign(assignment.values.size(), false);
  }

  Needs find() {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      if (assignment_.fragment[static_cast<size_t>(n)] >= 0) {
        need(assignment_.fragment[static_cast<size_t>(n)], n);
      }
    }
    for (const CommonValue& value : assignment_.values) {
      if (value.producer >= 0) {
        need(value.producer, value.node);
      }
    }
    while (addGoverned()) {
    }
    return std::move(needs_);
  }

 private:
  void need(int fragment, int node) {
    if (!needs_.keeps[static_cast<size_t>(fragment)].insert(node).second) {
      return;
    }
    const Node& at = graph_.nodes[node];
    for (const int around : {at.parent, at.header}) {
      if (around >= 0) {
        need(fragment, around);
      }
    }
    const int owner = assignment_.fragment[static_cast<size_t>(node)];
    if (at.kind == NodeKind::condition && !assignment_.isCopied(node) && owner != fragment) {
      needs_.asks[node].insert(fragment);
      return;
    }
    if (at.kind != NodeKind::jump) {
      needInputs(fragment, node);
    }
  }

  void needInputs(int fragment, int node) {
    for (const int e : graph_.data.into[static_cast<size_t>(node)]) {
      const int d = graph_.edge(e).definition;
      const Definition& definition = graph_.definition(d);
      if (graph_.nodes[node].kind == NodeKind::annotation &&
          !produces(fragment, node, definition.variable)) {
        continue;
      }
      if (!definition.annotation) {
        if (assignment_.isCopied(definition.node)) {
          need(fragment, definition.node);
        }
        continue;
      }
      const auto value = static_cast<size_t>(assignment_.value_of.at(d));
      if (assignment_.values[value].producer == fragment) {
        needs_.producer_reads[value] = true;
      } else {
        needs_.receives[value].insert(fragment);
        need(fragment, definition.node);
      }
    }
  }

  bool produces(int fragment, int annotation, const clang::ValueDecl* variable) const {
    for (const CommonValue& value : assignment_.values) {
      if (value.node == annotation && graph_.definition(value.definition).variable == variable) {
        return value.producer == fragment;
      }
    }
    return false;
  }

  /// Jumps that govern what a fragment holds, and guards that act on it.
  bool addGoverned() {
    bool grown = false;
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      const bool jump = graph_.nodes[n].kind == NodeKind::jump;
      if (!jump && !graph_.at(n).guards_scope) {
        continue;
      }
      for (int f = 0; f < assignment_.fragments(); ++f) {
        const auto& kept = needs_.keeps[static_cast<size_t>(f)];
        if (kept.count(n) > 0) {
          continue;
        }
        const bool governed = std::any_of(kept.begin(), kept.end(), [&](int held) {
          return jump ? graph_.control.governs(n, held) : guards(n, held);
        });
        if (governed) {
          need(f, n);
          grown = true;
        }
      }
    }
    return grown;
  }

  bool guards(int guard, int held) const {
    const int parent = graph_.at(guard).sets_process ? -1 : graph_.nodes[guard].parent;
    return held > guard && (parent < 0 || graph_.nodes.isInside(held, parent)) &&
           graph_.nodes[held].kind != NodeKind::jump && !graph_.at(held).guards_scope;
  }

  const Graph& graph_;
  const Assignment& assignment_;
  Needs needs_;
};

}  // namespace

Needs findNeeds(const Graph& graph, const Assignment& assignment) {
  return Finder(graph, assignment).find();
}

}  // namespace fdg::compiler
