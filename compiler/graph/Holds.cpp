#include "compiler/graph/Holds.h"

#include <map>

namespace fdg::compiler {
namespace {

using Holders = std::map<const clang::ValueDecl*, std::vector<Hold>>;  // by component

Holders collect(llvm::ArrayRef<Effects> effects) {
  Holders holders;
  for (const Effects& node : effects) {
    for (const Touch& touch : node.touches) {
      auto& held = holders[touch.object];
      held.insert(held.end(), node.holds.begin(), node.holds.end());
    }
  }
  std::erase_if(holders, [](const auto& holder) { return holder.second.empty(); });
  return holders;
}

bool changes(const Access& access, const Hold& hold) {
  return access.variable == hold.variable &&
         (access.how == Access::How::in_place ||
          (hold.by_reference && access.how != Access::How::read));
}

/// Who writes what a component keeps touches it.
void addTouches(const Holders& holders, Effects& node) {
  for (const auto& [component, held] : holders) {
    const bool touches = llvm::any_of(
        node.touches, [&](const Touch& touch) { return touch.object == component; });
    for (size_t a = 0; a < node.accesses.size() && !touches; ++a) {
      const Access& access = node.accesses[a];
      if (llvm::any_of(held, [&](const Hold& hold) { return changes(access, hold); })) {
        node.touches.push_back({component, access.place, false, false});
        break;
      }
    }
  }
}

/// Who touches a component writes what that keeps to write.
void addWrites(const Holders& holders, Effects& node) {
  for (const Touch& touch : node.touches) {
    const auto holder = holders.find(touch.object);
    if (holder == holders.end() || touch.declares) {
      continue;
    }
    for (const Hold& hold : holder->second) {
      const bool known = llvm::any_of(
          node.accesses, [&](const Access& access) { return changes(access, hold); });
      if (hold.writes && !known) {
        const auto how = hold.by_reference ? Access::How::update : Access::How::in_place;
        node.accesses.push_back({hold.variable, nullptr, how, touch.place, false, true});
      }
    }
  }
}

}  // namespace

void followHolds(llvm::MutableArrayRef<Effects> effects) {
  const Holders holders = collect(effects);
  if (holders.empty()) {
    return;
  }
  for (Effects& node : effects) {
    addTouches(holders, node);
    addWrites(holders, node);
  }
}

}  // namespace fdg::compiler
