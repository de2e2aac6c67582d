#include "compiler/graph/Effects.h"

#include <set>

#include "compiler/graph/EffectWalk.h"
#include "compiler/graph/Gradients.h"
#include "compiler/graph/Holds.h"
#include "compiler/graph/References.h"
#include "compiler/graph/Summaries.h"
#include "compiler/read/Types.h"

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

/// A field through which others may be reached.
bool hasPointer(const clang::RecordDecl* record) {
  return llvm::any_of(record->fields(), [](const clang::FieldDecl* field) {
    return field->getType()->isReferenceType() || mayRefer(field->getType());
  });
}

/// Drops handles of what nobody writes. Networks are written by optimisers.
void dropUnwritten(Summaries& summaries, std::vector<Effects>& effects) {
  std::set<const clang::FieldDecl*> written;
  for (const Effects& node : effects) {
    written.insert(node.written_fields.begin(), node.written_fields.end());
  }
  const auto stays = [&](const clang::ValueDecl* origin) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(origin);
    if (field == nullptr || written.count(field) > 0) {
      return true;
    }
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
    return record != nullptr &&
           ((inNamespace(record, "torch") &&
             isComponent(record->getASTContext().getTypeDeclType(record))) ||
            summaries.changes(field) || (hasPointer(record) && summaries.writesBehind(field)));
  };
  for (Effects& node : effects) {
    std::erase_if(node.handed, [&](const auto& handed) { return !stays(handed.second); });
  }
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
  dropUnwritten(summaries, effects.of);
  followHolds(effects.of);
  followGradients(program, effects.of);
  followReferences(effects.of, walk.unclear());
  for (const auto& [variable, place] : walk.references()) {
    effects.references[variable] = place.variable;
  }
  return effects;
}

}  // namespace fdg::compiler
