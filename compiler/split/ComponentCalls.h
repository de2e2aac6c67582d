// Expressions → the components that they are calls on.
//
// References and pointers to components are looked through. Pure functions; cost: a walk up the
// expression.
#pragma once

#include "compiler/split/ComponentGroups.h"

namespace fdg::compiler {

/// The component whose state an expression lies in; null: none.
ComponentGroups::Object componentOf(const Graph& graph, const ComponentGroups& groups,
                                    const clang::Expr* e);

/// The component that a call is made on; null if it is not a call on one.
ComponentGroups::Object calledOn(const Graph& graph, const ComponentGroups& groups,
                                 const clang::Stmt* call);

/// The call on a component whose result, or a field of it, a statement takes as it is; null if it
/// does anything else.
const clang::Expr* soleCall(const Graph& graph, const ComponentGroups& groups, int node);

}  // namespace fdg::compiler
