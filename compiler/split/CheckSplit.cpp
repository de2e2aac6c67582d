#include "compiler/split/CheckSplit.h"

#include <algorithm>

#include "base/Check.h"

namespace fdg::compiler {
namespace {

class Proof {
 public:
  Proof(const Graph& graph, const Assignment& assignment, const Split& split)
      : graph_(graph), assignment_(assignment), split_(split) {}

  void check() const {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      checkOwner(n);
      for (const FragmentPart& fragment : split_.fragments) {
        if (fragment.keeps.count(graph_.nodes[n].stmt) > 0) {
          checkKept(fragment, n);
        }
      }
    }
  }

 private:
  std::string where(int n) const { return "line " + std::to_string(graph_.line(n)); }

  void checkOwner(int n) const {
    const int owner = assignment_.fragment[static_cast<size_t>(n)];
    const bool statement =
        graph_.nodes[n].kind == NodeKind::statement || graph_.nodes[n].kind == NodeKind::condition;
    FDG_CHECK(!statement || owner >= 0 || assignment_.isCopied(n), where(n) + " has no owner");
    FDG_CHECK(owner < 0 || split_.fragments[static_cast<size_t>(owner)].keeps.count(
                               graph_.nodes[n].stmt) > 0,
              where(n) + " is not kept by its owner");
    for (const Touch& touch : graph_.at(n).touches) {
      for (const Component& component : assignment_.components) {
        FDG_CHECK(component.variable != touch.object || component.fragment == owner,
                  where(n) + " touches a component of another fragment");
      }
    }
  }

  void checkKept(const FragmentPart& fragment, int n) const {
    const Node& node = graph_.nodes[n];
    FDG_CHECK(node.parent < 0 || fragment.keeps.count(graph_.nodes[node.parent].stmt) > 0,
              where(n) + " is kept without what stands around it");
    const bool evaluates = node.kind != NodeKind::jump && node.kind != NodeKind::annotation &&
                           (assignment_.isCopied(n) ||
                            assignment_.fragment[static_cast<size_t>(n)] == fragment.info.id);
    if (!evaluates) {
      return;
    }
    for (const int e : graph_.data.into[static_cast<size_t>(n)]) {
      const Definition& definition = graph_.definition(graph_.edge(e).definition);
      FDG_CHECK(definition.annotation
                    ? takesPart(fragment.info.id, definition)
                    : fragment.keeps.count(graph_.nodes[definition.node].stmt) > 0,
                where(n) + " uses what " + where(definition.node) +
                    " makes, which does not reach its fragment");
    }
  }

  bool takesPart(int fragment, const Definition& definition) const {
    return std::any_of(
        split_.boundaries.begin(), split_.boundaries.end(), [&](const Boundary& boundary) {
          const auto& consumers = boundary.info.consumers;
          return boundary.place == graph_.nodes[definition.node].stmt &&
                 std::count(boundary.values.begin(), boundary.values.end(), definition.variable) >
                     0 &&
                 (boundary.info.producer == fragment ||
                  std::count(consumers.begin(), consumers.end(), fragment) > 0);
        });
  }

  const Graph& graph_;
  const Assignment& assignment_;
  const Split& split_;
};

}  // namespace

void checkSplit(const Graph& graph, const Assignment& assignment, const Split& split) {
  Proof(graph, assignment, split).check();
}

}  // namespace fdg::compiler
