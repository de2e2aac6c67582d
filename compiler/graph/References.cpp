#include "compiler/graph/References.h"

#include <map>

#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using How = Access::How;
using Variable = const clang::ValueDecl*;

/// Variables that refer to others, in classes of those that may refer to the same.
class ReferenceClasses {
 public:
  ReferenceClasses(llvm::ArrayRef<Effects> effects, const std::set<Variable>& unclear)
      : unclear_(unclear) {
    for (const Effects& node : effects) {
      for (const auto& [target, source] : node.shares) {
        if (refers(target)) {
          add(target, source);
        }
      }
    }
  }

  bool refers(Variable variable) const {
    return unclear_.count(variable) > 0 || mayRefer(variable->getType());
  }
  std::set<Variable> members(Variable variable) const {
    std::set<Variable> all = {variable};
    for (const auto& [member, next] : leader_) {
      if (leader(member) == leader(variable)) {
        all.insert(member);
        all.insert(next);
      }
    }
    return all;
  }
  const std::set<Variable>& behind(Variable variable) const {
    static const std::set<Variable> nothing;
    const auto found = behind_.find(leader(variable));
    return found == behind_.end() ? nothing : found->second;
  }

 private:
  Variable leader(Variable variable) const {
    for (auto next = leader_.find(variable); next != leader_.end(); next = leader_.find(variable)) {
      variable = next->second;
    }
    return variable;
  }
  void add(Variable target, Variable source) {
    const Variable from = leader(target);
    if (!refers(source)) {
      behind_[from].insert(source);
      return;
    }
    const Variable to = leader(source);
    if (from != to) {
      leader_[from] = to;
      behind_[to].merge(behind_[from]);
      behind_.erase(from);
    }
  }

  const std::set<Variable>& unclear_;
  std::map<Variable, Variable> leader_;
  std::map<Variable, std::set<Variable>> behind_;
};

void read(const Access& access, const ReferenceClasses& classes, Effects& node) {
  for (const Variable object : classes.behind(access.variable)) {
    if (isComponent(object->getType())) {
      node.touches.push_back({object, access.place, false, false});
    } else {
      node.accesses.push_back({object, nullptr, How::read, access.place});
    }
  }
}

void write(const Access& access, const ReferenceClasses& classes, Effects& node) {
  for (const Variable other : classes.members(access.variable)) {
    if (other != access.variable) {
      node.accesses.push_back({other, nullptr, How::update, access.place});
    }
  }
  for (const Variable object : classes.behind(access.variable)) {
    if (!isComponent(object->getType())) {
      const bool elements = access.how == How::in_place && sharesState(object->getType());
      node.accesses.push_back(
          {object, nullptr, elements ? How::in_place : How::update, access.place});
    }
  }
}

}  // namespace

void followReferences(llvm::MutableArrayRef<Effects> effects, const std::set<Variable>& unclear) {
  const ReferenceClasses classes(effects, unclear);
  for (Effects& node : effects) {
    for (const Access& access : std::vector<Access>(node.accesses)) {
      if (!classes.refers(access.variable)) {
        continue;
      }
      if (access.how == How::read) {
        read(access, classes, node);
      } else if (access.how == How::in_place || access.through) {
        write(access, classes, node);
      }
    }
  }
}

}  // namespace fdg::compiler
