// A part of a control statement's header → the same as statements of their own, behind which an
// annotation can stand (language.md, rule 12).
//
//   if (auto x = a.f(); c) …          { auto x = a.f(); if (c) … }         likewise for, switch
//   if (auto x = a.f()) …             { auto x = a.f(); if (x) … }         likewise switch
//   while (auto x = a.f()) …          while (true) { auto x = a.f(); if (!(x)) { break; } … }
//   for (…; a.f() < b.f(); …) …       for (…; ; …) { if (!(a.f() < b.f())) { break; } … }
//   for (…; …; x = a.f()) …           for (…; …; ) { … x = a.f(); }
//   do { … } while (a.f() < b.f());   do { … if (!(a.f() < b.f())) { break; } } while (true);
//
// Refuses, with what to write instead: statements from macros, comments in a text of several lines,
// a `continue` in front of what goes to the end of a body, names that the body hides, attributes.
// Cost: a walk over the statement.
#pragma once

#include <string>
#include <vector>

#include "compiler/graph/Graph.h"
#include "compiler/read/SourceText.h"

namespace fdg::compiler {

struct HeaderPart {
  enum class Goes { before, first, last };  ///< In front of the statement, or in its body.
  Goes goes = Goes::before;
  std::vector<std::string> statements;
  TextRange taken;      ///< From the header.
  std::string left;     ///< What stays there.
  std::string why_not;  ///< Not empty: it cannot be taken out.
};

/// The node is an init statement, an increment, or the condition of a loop; of an if or switch the
/// variable in its condition.
HeaderPart headerPart(const Graph& graph, int node);

/// What headerPart is for: the node's text stands in a header where nothing can stand behind it.
bool standsInHeader(const Graph& graph, int node);

/// A condition that is asked in every round: of any loop but a range-for.
bool isAskedAgain(const Node& node);

}  // namespace fdg::compiler
