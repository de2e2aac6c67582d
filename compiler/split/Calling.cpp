#include "compiler/split/Calling.h"

#include <algorithm>

#include "compiler/read/Entities.h"

namespace fdg::compiler {
namespace {

class Caller {
 public:
  Caller(const Graph& graph, const Assignment& assignment, const Boundary& boundary)
      : graph_(graph), message_(definitionsOf(graph, assignment, boundary)) {}

  std::string whyNot(int n, const std::vector<int>& block) const {
    const Effects& effects = graph_.at(n);
    for (const Touch& touch : effects.touches) {
      const std::string name = "`" + touch.object->getNameAsString() + "`";
      if (!isThreadSafe(touch.object->getType())) {
        return at(n) + " uses " + name +
               ", whose class does not say that several threads may use it at a time (static "
               "constexpr bool thread_safe = true)";
      }
      if (refersToVariables(touch.object)) {
        return at(n) + " uses " + name + ", which refers to a variable of the training function";
      }
    }
    const auto named = namedIn(graph_.nodes[n]);
    if (!effects.impurities.empty() || effects.reads_rows ||
        std::ranges::any_of(named, [](auto* v) { return isRun(v->getType()); })) {
      return at(n) + " uses the run, and each fragment's thread has its own";
    }
    for (const int d : graph_.data.defined_by[static_cast<size_t>(n)]) {
      const clang::ValueDecl* variable = graph_.definition(d).variable;
      if (!isMessage(variable) && !isDeclaredIn(block, variable)) {
        return at(n) + " also defines `" + variable->getNameAsString() +
               "`, which is declared elsewhere";
      }
    }
    return effects.holds.empty() ? ""
                                 : at(n) + " leaves `" +
                                       effects.holds.front().variable->getNameAsString() +
                                       "`, or what it refers to, in a component";
  }

 private:
  std::string at(int n) const {
    const clang::Expr* condition = conditionOf(graph_.nodes[n].stmt);
    return "`" + graph_.program.text(condition != nullptr ? condition : graph_.nodes[n].stmt, 48) +
           "` at line " + std::to_string(graph_.line(n));
  }

  /// Since it was made, perhaps: its own thread may write that variable at any time.
  bool refersToVariables(const clang::ValueDecl* component) const {
    return std::ranges::any_of(graph_.effects.of, [&](const Effects& effects) {
      const bool touches = std::ranges::any_of(
          effects.touches, [&](const Touch& touch) { return touch.object == component; });
      return touches && std::ranges::any_of(effects.holds, &Hold::by_reference);
    });
  }

  bool isMessage(const clang::ValueDecl* variable) const {
    return std::ranges::any_of(
        message_, [&](int d) { return graph_.definition(d).variable == variable; });
  }

  /// A parameter or variable of a lambda begins anew with every call.
  bool isDeclaredIn(const std::vector<int>& block, const clang::ValueDecl* variable) const {
    return variable->getDeclContext() != graph_.program.entry ||
           std::ranges::any_of(block, [&](int n) {
             return standsIn(graph_, variable->getLocation(), graph_.nodes[n].stmt);
           });
  }

  const Graph& graph_;
  std::set<int> message_;
};

}  // namespace

std::string whyNotCallable(const Graph& graph, const Assignment& assignment,
                           const Boundary& boundary, const DrainBlocks& blocks) {
  std::string why = blocks.refusal;
  const Caller caller(graph, assignment, boundary);
  for (const auto& [consumer, nodes] : blocks.covered) {
    for (auto n = nodes.begin(); why.empty() && n != nodes.end(); ++n) {
      why = caller.whyNot(*n, blocks.of.at(consumer));
    }
  }
  return why;
}

}  // namespace fdg::compiler
