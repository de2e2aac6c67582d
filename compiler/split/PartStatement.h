// A statement that touches several components → the same with what one gives another as values of
// their own (language.md, rule 12).
//
//   before: actor.load(learner.weights());
//   after:  auto weights = learner.weights();
//           actor.load(weights);
//
// 1. The calls of other components are taken out, innermost first, so in the order in which they
//    ran; the component of the outermost call keeps the statement.
// 2. Refuses, with the reason: a component handed over itself, a call that may not run (`&&`,
// `?:`),
//    side effects between the calls, results that cannot cross, text from macros, headers of loops.
// 3. Names are the methods'; numbered where the function uses the name already.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/split/ComponentGroups.h"
#include "compiler/split/CutEdits.h"
#include "compiler/split/FreeNames.h"

namespace fdg::compiler {

/// A value that was taken out of a statement.
struct TakenOut {
  std::string name;
  std::string call;  ///< Its text, with the names of values taken out before.
  const clang::Expr* expression = nullptr;
  ComponentGroups::Object component = nullptr;
};

struct Parting {
  struct Change {
    TextRange range;
    std::string name;
  };
  std::vector<TakenOut> values;
  std::vector<Change> changes;  ///< Inside the statement.
  std::string why_not;          ///< Not empty: the statement cannot be taken apart.
};

/// `all`: every component's call is taken out, also those of the component that could keep it.
Parting partStatement(const Graph& graph, const ComponentGroups& groups, int node, bool all,
                      FreeNames& names);

/// Adds the parting to a program's edits: the values in front of the statement, each followed by
/// the statements `behind` gives for it. Braces where the statement stands alone.
void applyParting(const Graph& graph, int node, const Parting& parting,
                  const std::function<std::vector<std::string>(const TakenOut&)>& behind,
                  CutEdits& edits);

}  // namespace fdg::compiler
