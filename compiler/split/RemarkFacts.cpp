#include "compiler/split/RemarkFacts.h"

#include <algorithm>
#include <set>

namespace fdg::compiler {
namespace {

class Remarker {
 public:
  Remarker(const Graph& graph, const Assignment& assignment, const Layouts& layouts,
           const Split& split, Diagnostics& diagnostics)
      : graph_(graph),
        assignment_(assignment),
        layouts_(layouts),
        split_(split),
        diagnostics_(diagnostics) {}

  void remark() {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      remarkCopies(n);
    }
    for (const Boundary& boundary : split_.boundaries) {
      if (!boundary.info.implicit) {
        remarkLayouts(boundary);
        remarkBoundary(boundary);
      }
    }
    for (const FragmentPart& fragment : split_.fragments) {
      remarkFragment(fragment);
    }
    remarkLearning();
  }

 private:
  std::string name(int fragment) const {
    return "'" + split_.fragments[static_cast<size_t>(fragment)].info.name + "'";
  }

  void remarkCopies(int n) {
    if (!assignment_.isCopied(n) || graph_.nodes[n].header >= 0) {
      return;  // a loop is said once, at its condition
    }
    std::string holders;
    int count = 0;
    for (const FragmentPart& fragment : split_.fragments) {
      if (fragment.keeps.contains(graph_.nodes[n].stmt)) {
        holders += (holders.empty() ? "" : ", ") + name(fragment.info.id);
        ++count;
      }
    }
    if (count > 1) {
      const bool derived = assignment_.share[static_cast<size_t>(n)] == Share::derived;
      diagnostics_.report(graph_.nodes.place(n), Message::statement_copied)
          << static_cast<int>(derived) << holders;
    }
  }

  const Annotation& annotation(const Boundary& boundary) const {
    return graph_.program.annotations.at(boundary.place);
  }
  clang::SourceLocation place(const Boundary& boundary) const {
    return annotation(boundary).call->getBeginLoc();
  }

  /// What the definitions that reach the annotation agree on.
  Layout layoutOf(const Boundary& boundary, const clang::ValueDecl* value) const {
    std::optional<Layout> all;
    const int node = graph_.nodes.of(boundary.place);
    for (const int e : graph_.data.into[static_cast<size_t>(node)]) {
      const int d = graph_.edge(e).definition;
      if (graph_.definition(d).variable == value) {
        const Layout layout = layouts_.of_definition[static_cast<size_t>(d)];
        all = !all || *all == layout ? layout : Layout::unknown;
      }
    }
    return all.value_or(Layout::unknown);
  }

  void remarkLayouts(const Boundary& boundary) {
    std::string to;
    for (const int consumer : boundary.info.consumers) {
      to += (to.empty() ? "" : ", ") + name(consumer);
    }
    for (const clang::ValueDecl* value : boundary.values) {
      const Layout layout = layoutOf(boundary, value);
      if (layout != Layout::unknown) {
        diagnostics_.report(place(boundary), Message::layout_inferred)
            << value << static_cast<int>(layout == Layout::share) << to;
      }
    }
  }

  void remarkBoundary(const Boundary& boundary) {
    const clang::ValueDecl* value = boundary.values.front();
    const auto say = [&](Message message) {
      return diagnostics_.report(place(boundary), message) << value;
    };
    if (boundary.info.held) {
      say(Message::value_held);
    }
    if (!boundary.info.loose) {
      return;
    }
    if (boundary.info.drainable.holds) {
      say(Message::boundary_drainable);
    } else {
      say(Message::boundary_not_drainable) << boundary.info.drainable.reason;
    }
    if (boundary.info.newest_able.holds) {
      say(Message::boundary_newest);
    } else {
      say(Message::boundary_not_newest) << boundary.info.newest_able.reason;
    }
  }

  /// Where a fragment is spoken of: at its first component, else at the training function.
  clang::SourceLocation place(const FragmentPart& fragment) const {
    const auto found = std::ranges::find_if(
        assignment_.components, [&](const Component& c) { return c.fragment == fragment.info.id; });
    return found != assignment_.components.end() ? found->variable->getLocation()
                                                 : graph_.program.entry->getLocation();
  }

  void remarkFragment(const FragmentPart& fragment) {
    const FragmentInfo& info = fragment.info;
    if (!info.replicable.holds) {
      diagnostics_.report(place(fragment), Message::not_replicable)
          << info.name << info.replicable.reason;
    }
    if (info.approximate) {
      diagnostics_.report(place(fragment), Message::approximate)
          << info.name << info.approximate_reason;
    }
    if (!info.fusable.holds) {
      diagnostics_.report(place(fragment), Message::not_fusable)
          << info.name << info.fusable.reason;
    }
  }

  /// Components that keep what rows taught them, in a fragment whose replicas settle nothing. Those
  /// that run.rows sizes, environments, actors and buffers keep it by rows.
  void remarkLearning() {
    std::set<const clang::ValueDecl*> known;
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      for (const Touch& touch : graph_.at(n).touches) {
        const auto component =
            std::ranges::find(assignment_.components, touch.object, &Component::variable);
        if (component == assignment_.components.end() || component->fragment < 0) {
          continue;
        }
        const bool by_row = component->role == "environment" || component->role == "actor" ||
                            component->role == "buffer" ||
                            (touch.declares && graph_.at(n).reads_rows);
        if (by_row || settles(component->fragment)) {
          known.insert(touch.object);
        }
        const clang::ValueDecl* rows =
            touch.constant || graph_.nodes[n].loop < 0 ? nullptr : receivedRows(n);
        if (rows != nullptr && known.insert(touch.object).second) {
          diagnostics_.report(touch.place, Message::learns_alone)
              << touch.object << rows
              << split_.fragments[static_cast<size_t>(component->fragment)].info.name;
        }
      }
    }
  }

  /// One alone, or told what is the same on all, or known to be approximate.
  bool settles(int fragment) const {
    const FragmentInfo& info = split_.fragments[static_cast<size_t>(fragment)].info;
    return !info.replicable.holds || info.approximate ||
           std::ranges::any_of(split_.boundaries, [&](const Boundary& boundary) {
             const auto& consumers = boundary.info.consumers;
             const bool takes_part = std::ranges::count(consumers, fragment) > 0 ||
                                     boundary.info.producer == fragment;
             const OperationKind operation = boundary.info.operation;
             return !boundary.info.implicit && takes_part &&
                    (isReduction(operation) || operation == OperationKind::all_gather ||
                     (operation == OperationKind::broadcast &&
                      boundary.info.producer != fragment));
           });
  }

  /// A value whose rows were received, of those that a statement reads; null: there is none.
  const clang::ValueDecl* receivedRows(int n) const {
    for (const int e : graph_.data.into[static_cast<size_t>(n)]) {
      const int d = graph_.edge(e).definition;
      if (graph_.definition(d).annotation &&
          layouts_.of_definition[static_cast<size_t>(d)] == Layout::share) {
        return graph_.definition(d).variable;
      }
    }
    return nullptr;
  }

  const Graph& graph_;
  const Assignment& assignment_;
  const Layouts& layouts_;
  const Split& split_;
  Diagnostics& diagnostics_;
};

}  // namespace

void remarkFacts(const Graph& graph, const Assignment& assignment, const Layouts& layouts,
                 const Split& split, Diagnostics& diagnostics) {
  Remarker(graph, assignment, layouts, split, diagnostics).remark();
}

}  // namespace fdg::compiler
