// Nodes and annotations → the changes of text that put right what a message says about them, for
// editors and --fix.
//
// Empty where the change would not be sure to be meant: text from macros, statements without a
// block around them. Applying one gives a program that compiles. Pure functions.
#pragma once

#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "compiler/graph/Graph.h"

namespace fdg::compiler {

using FixIts = std::vector<clang::FixItHint>;

/// Without one of its values; without the statement, if it has no other.
FixIts withoutValue(const Graph& graph, const Annotation& annotation, size_t index);
/// A statement taken away and put behind another of the same block.
FixIts movedBehind(const Graph& graph, int node, int target);
/// An annotation that stands behind the uses of its only value: put behind what makes the value;
/// empty if nothing between them uses it.
FixIts movedToDefinition(const Graph& graph, int annotation, const clang::ValueDecl* value);
/// `x = x.clone();` in front of a statement that writes into a tensor.
FixIts clonedBefore(const Graph& graph, int node, const clang::ValueDecl* tensor);
/// `std::move(x)` at a place of a node's statement → `x`.
FixIts withoutMove(const Graph& graph, int node, clang::SourceLocation place);

inline const clang::DiagnosticBuilder& operator<<(const clang::DiagnosticBuilder& builder,
                                                  const FixIts& fixes) {
  for (const clang::FixItHint& fix : fixes) {
    builder << fix;
  }
  return builder;
}

}  // namespace fdg::compiler
