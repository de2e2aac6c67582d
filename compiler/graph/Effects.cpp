#include "compiler/graph/Effects.h"

#include "compiler/graph/EffectWalk.h"
#include "compiler/graph/Gradients.h"
#include "compiler/graph/Holds.h"
#include "compiler/graph/References.h"
#include "compiler/graph/Summaries.h"

namespace fdg::compiler {
namespace {

/// Adds the pairs (a, c) where there are (a, b) in `shares` and (b, c) in `onward`.
template <class Pairs>
bool join(const Pairs& shares, Pairs& onward) {
  const size_t before = onward.size();
  for (const auto& [target, middle] : Pairs(shares)) {
    for (const auto& [from, source] : Pairs(onward)) {
      const std::pair<const clang::ValueDecl*, const clang::ValueDecl*> joined = {target, source};
      if (from == middle && target != source && !llvm::is_contained(onward, joined)) {
        onward.push_back(joined);
      }
    }
  }
  return onward.size() > before;
}

/// What shares state through variables of the same statement, such as a lambda's parameters, shares
/// it with what these got theirs from.
void closeShares(Effects& effects) {
  while (join(effects.shares, effects.shares)) {
  }
  join(effects.shares, effects.handed);
}

}  // namespace

ProgramEffects collectEffects(const Program& program, const Nodes& nodes) {
  Summaries summaries(*program.context);
  EffectWalk walk(*program.context, summaries);
  ProgramEffects effects;
  walk.findLent(program.entry->getBody());
  effects.of.resize(static_cast<size_t>(nodes.size()));
  // Source order: a reference or lambda is known before its uses.
  for (int n = 0; n < nodes.size(); ++n) {
    Effects& out = effects.of[static_cast<size_t>(n)];
    const Node& node = nodes[n];
    if (node.kind == NodeKind::annotation) {
      const Annotation& annotation = program.annotations.at(node.stmt);
      for (size_t i = 0; i < annotation.values.size(); ++i) {
        out.accesses.push_back({annotation.values[i], nullptr, Access::How::read,
                                annotation.references[i]->getBeginLoc(), false});
      }
    } else if (node.kind == NodeKind::condition) {
      walk.condition(node.stmt, out);
    } else if (node.kind == NodeKind::statement) {
      walk.statement(node.stmt, out);
    }
  }
  for (Effects& node : effects.of) {
    closeShares(node);
  }
  followHolds(effects.of);
  followGradients(program, effects.of);
  followReferences(effects.of, walk.unclear());
  for (const auto& [variable, place] : walk.references()) {
    effects.references[variable] = place.variable;
  }
  return effects;
}

}  // namespace fdg::compiler
