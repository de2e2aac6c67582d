// A program without annotations → edits that put one behind each definition whose value crosses
// from component to component (language.md, "How the function is split", rule 12); in a program
// that has some, what they leave joined is cut as well.
//
// What crosses is ComponentGroups' answer, the operation ChooseOperation's. Components that meet in
// one statement, or between which a value goes that cannot cross, stay together. Everything is said
// as a remark; that nothing could be cut is a warning. Expects what SeparateComponents leaves.
#pragma once

#include "compiler/read/Diagnostics.h"
#include "compiler/split/ComponentGroups.h"
#include "compiler/split/CutEdits.h"

namespace fdg::compiler {

CutEdits placeAnnotations(const Graph& graph, Diagnostics& diagnostics);

}  // namespace fdg::compiler
