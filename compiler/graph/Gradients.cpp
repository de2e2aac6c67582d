#include "compiler/graph/Gradients.h"

#include <map>
#include <set>

#include "compiler/read/Modules.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using How = Access::How;
using Variables = std::set<const clang::ValueDecl*>;

bool mayHoldTensors(const clang::ValueDecl* variable) {
  return sharesState(variable->getType()) && !isComponent(variable->getType());
}

/// Tensors that collect gradients, and what holds them.
Variables leavesOf(llvm::ArrayRef<Effects> effects) {
  Variables leaves;
  for (const Effects& node : effects) {
    for (const Access& access : node.accesses) {
      if (node.wants_gradients && access.how != How::read && mayHoldTensors(access.variable)) {
        leaves.insert(access.variable);
      }
    }
  }
  return leaves;
}

/// Adds what a statement reads, if something of the history comes from it.
bool addSources(const Effects& node, const Variables& crossed, Variables& history) {
  const bool writes = llvm::any_of(node.accesses, [&](const Access& access) {
    return access.how != How::read && history.count(access.variable) > 0 &&
           crossed.count(access.variable) == 0;
  });
  bool grown = false;
  for (const Access& access : node.accesses) {
    const bool reads = access.how == How::read && mayHoldTensors(access.variable);
    grown |= writes && reads && history.insert(access.variable).second;
  }
  return grown;
}

/// Everything the losses of a statement may be computed from.
Variables historyOf(const Effects& node, llvm::ArrayRef<Effects> effects,
                    const Variables& crossed) {
  Variables history;
  for (const Access& access : node.accesses) {
    if (mayHoldTensors(access.variable)) {
      history.insert(access.variable);
    }
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (const Effects& other : effects) {
      grown |= addSources(other, crossed, history);
    }
  }
  return history;
}

/// The tensors that stand beside an optimiser: those it is made with.
std::map<const clang::ValueDecl*, Variables> optimised(llvm::ArrayRef<Effects> effects) {
  std::map<const clang::ValueDecl*, Variables> tensors;
  for (const Effects& node : effects) {
    for (const Touch& touch : node.touches) {
      if (!isOptimizer(touch.object->getType())) {
        continue;
      }
      for (const Access& access : node.accesses) {
        if (mayHoldTensors(access.variable)) {
          tensors[touch.object].insert(access.variable);
        }
      }
    }
  }
  return tensors;
}

void followOptimizers(llvm::MutableArrayRef<Effects> effects) {
  const auto tensors = optimised(effects);
  for (Effects& node : effects) {
    for (const Touch& touch : node.touches) {
      const auto found = tensors.find(touch.object);
      if (found == tensors.end() || touch.declares) {
        continue;  // const or not: a step through a pointer is no change of the pointer
      }
      for (const clang::ValueDecl* tensor : found->second) {
        node.accesses.push_back({tensor, nullptr, How::in_place, touch.place});
      }
    }
  }
}

}  // namespace

std::vector<std::pair<const Touch*, const Access*>> optimizerWrites(const Effects& node) {
  std::vector<std::pair<const Touch*, const Access*>> writes;
  for (const Touch& touch : node.touches) {
    for (const Access& access : node.accesses) {
      if (access.how == How::in_place && isOptimizer(touch.object->getType())) {
        writes.emplace_back(&touch, &access);
      }
    }
  }
  return writes;
}

void followGradients(const Program& program, llvm::MutableArrayRef<Effects> effects) {
  Variables crossed;
  for (const auto& [stmt, annotation] : program.annotations) {
    crossed.insert(annotation.values.begin(), annotation.values.end());
  }
  followOptimizers(effects);
  const Variables leaves = leavesOf(effects);
  for (Effects& node : effects) {
    if (node.backward.empty()) {
      continue;
    }
    for (const clang::ValueDecl* variable : historyOf(node, effects, crossed)) {
      if (leaves.count(variable) > 0) {
        node.accesses.push_back({variable, nullptr, How::in_place, node.backward.front()});
      }
    }
  }
}

}  // namespace fdg::compiler
