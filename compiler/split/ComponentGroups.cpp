#include "compiler/split/ComponentGroups.h"

#include <algorithm>
#include <deque>

#include "compiler/graph/Gradients.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using Object = ComponentGroups::Object;

/// What a definition reaches before an annotation cuts it off.
struct Reach {
  std::set<int> touching;  ///< Statements of components.
  std::set<int> passed;    ///< Statements and conditions of none.
};

Reach reachOf(const Graph& graph, const ComponentGroups& groups, int definition) {
  Reach reach;
  std::set<int> seen;
  std::deque<int> open = {definition};
  while (!open.empty()) {
    const int d = open.front();
    open.pop_front();
    if (!seen.insert(d).second) {
      continue;
    }
    for (const int e : graph.data.out_of[static_cast<size_t>(d)]) {
      const int user = graph.edge(e).node;
      if (graph.nodes[user].kind == NodeKind::annotation) {
        continue;
      }
      if (!groups.of(user).empty()) {
        reach.touching.insert(user);
        continue;
      }
      reach.passed.insert(user);
      const auto& made = graph.data.defined_by[static_cast<size_t>(user)];
      open.insert(open.end(), made.begin(), made.end());
    }
  }
  return reach;
}

/// A value that may be annotated or joins what it connects: no component, no stream.
bool isCarried(const Definition& definition) {
  const clang::QualType type = definition.variable->getType();
  return !definition.annotation && !isComponent(type) && !isStream(type) && !isRun(type);
}

/// Adds what shares state with the variables.
void addSharing(const Graph& graph, std::set<const clang::ValueDecl*>& variables) {
  for (size_t before = 0; before < variables.size();) {
    before = variables.size();
    for (const Effects& node : graph.effects.of) {
      for (const auto& [target, source] : node.shares) {
        if (variables.count(target) + variables.count(source) == 1) {
          variables.insert({target, source});
        }
      }
    }
  }
}

class CrossingFinder {
 public:
  CrossingFinder(const Graph& graph, const ComponentGroups& groups)
      : graph_(graph), groups_(groups) {}

  std::vector<Crossing> find() {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      const std::set<Object> touched = groups_.of(n);
      const bool impure = touched.empty() && !graph_.at(n).impurities.empty();
      for (const int d : graph_.data.defined_by[static_cast<size_t>(n)]) {
        if (isCarried(graph_.definition(d)) && (impure || !touched.empty())) {
          follow(d, touched.empty() ? nullptr : *touched.begin());
        }
      }
    }
    joinSinks();
    std::vector<Crossing> crossings;
    for (auto& [definition, crossing] : found_) {
      crossings.push_back(std::move(crossing));
    }
    return crossings;
  }

 private:
  void follow(int d, Object from) {
    const Reach reach = reachOf(graph_, groups_, d);
    std::set<Object> to;
    std::set<int> users;
    for (const int n : reach.touching) {
      for (Object group : groups_.of(n)) {
        if (group != from) {
          to.insert(group);
          users.insert(n);
        }
      }
    }
    if (to.size() > (from == nullptr ? 1U : 0U)) {
      found_[d] = {d, from, std::move(to), std::move(users)};
    } else if (from != nullptr) {
      uncut_[d] = {from, reach.passed};
    }
  }

  /// A statement of no component that reads uncut values of several groups would join them: it goes
  /// to the group that gives most of them, and the others' values are cut.
  void joinSinks() {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      std::map<Object, int> givers;
      for (const auto& [d, uncut] : uncut_) {
        givers[uncut.from] += static_cast<int>(uncut.passed.count(n));
      }
      std::erase_if(givers, [](const auto& giver) { return giver.second == 0; });
      if (givers.size() < 2) {
        continue;
      }
      const auto owner =
          std::max_element(givers.begin(), givers.end(), [&](const auto& a, const auto& b) {
            return std::tuple(a.second, -rank(a.first)) < std::tuple(b.second, -rank(b.first));
          });
      for (auto uncut = uncut_.begin(); uncut != uncut_.end();) {
        const bool cut = uncut->second.from != owner->first && uncut->second.passed.count(n) > 0;
        if (cut) {
          found_[uncut->first] = {uncut->first, uncut->second.from, {owner->first}, {n}};
        }
        uncut = cut ? uncut_.erase(uncut) : std::next(uncut);
      }
    }
  }

  int rank(Object group) const {
    const auto& all = groups_.objects();
    return static_cast<int>(std::find(all.begin(), all.end(), group) - all.begin());
  }

  struct Uncut {
    Object from = nullptr;
    std::set<int> passed;
  };

  const Graph& graph_;
  const ComponentGroups& groups_;
  std::map<int, Crossing> found_;
  std::map<int, Uncut> uncut_;
};

}  // namespace

ComponentGroups::ComponentGroups(const Graph& graph) : graph_(graph) {
  for (int n = 0; n < graph.nodes.size(); ++n) {
    for (const Touch& touch : graph.at(n).touches) {
      if (leader_.emplace(touch.object, touch.object).second) {
        objects_.push_back(touch.object);
      }
    }
  }
  for (int n = 0; n < graph.nodes.size(); ++n) {
    Object a = nullptr;
    Object b = nullptr;
    while (belongTogether(n, a, b)) {
      join(a, b);
    }
  }
  joinHolders();
}

/// Optimisers and others that go on referring to variables stay with all who use these.
void ComponentGroups::joinHolders() {
  std::map<Object, std::set<const clang::ValueDecl*>> held;
  for (int n = 0; n < graph_.nodes.size(); ++n) {
    for (const auto& [touch, access] : optimizerWrites(graph_.at(n))) {
      held[touch->object].insert(access->variable);
    }
    for (const Touch& touch : graph_.at(n).touches) {
      for (const Hold& hold : graph_.at(n).holds) {
        held[touch.object].insert(hold.variable);
      }
    }
  }
  for (auto& [holder, variables] : held) {
    addSharing(graph_, variables);
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      const bool uses = llvm::any_of(graph_.at(n).accesses, [&](const Access& access) {
        return variables.count(access.variable) > 0;
      });
      for (const Touch& touch : graph_.at(n).touches) {
        if (uses) {
          join(holder, touch.object);
        }
      }
    }
  }
}

Object ComponentGroups::find(Object object) const {
  while (leader_.at(object) != object) {
    object = leader_.at(object);
  }
  return object;
}

void ComponentGroups::join(Object a, Object b) {
  a = find(a);
  b = find(b);
  const bool in_order = std::find(objects_.begin(), objects_.end(), a) <
                        std::find(objects_.begin(), objects_.end(), b);
  leader_[in_order ? b : a] = in_order ? a : b;
}

std::set<Object> ComponentGroups::of(int node) const {
  std::set<Object> groups;
  for (const Touch& touch : graph_.at(node).touches) {
    groups.insert(find(touch.object));
  }
  return groups;
}

int ComponentGroups::count() const {
  return static_cast<int>(std::count_if(objects_.begin(), objects_.end(),
                                        [&](Object object) { return find(object) == object; }));
}

std::string ComponentGroups::roles(Object group) const {
  std::vector<std::string> names;
  for (Object object : objects_) {
    const std::string role = roleOf(object->getType());
    const std::string name = role.empty() ? object->getNameAsString() : role;
    if (find(object) == group && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  std::string joined;
  for (const std::string& name : names) {
    joined += (joined.empty() ? "" : "+") + name;
  }
  return joined;
}

std::string ComponentGroups::name(Object group) const {
  const std::string name = roles(group);
  int number = 1;
  for (Object object : objects_) {
    if (object == group) {
      break;
    }
    number += find(object) == object && roles(object) == name ? 1 : 0;
  }
  return number == 1 ? name : name + std::to_string(number);
}

std::string ComponentGroups::names(const std::set<Object>& groups) const {
  std::vector<Object> in_order;
  std::copy_if(objects_.begin(), objects_.end(), std::back_inserter(in_order),
               [&](Object object) { return groups.count(object) > 0; });
  std::string list;
  for (size_t i = 0; i < in_order.size(); ++i) {
    list += i == 0 ? "" : i + 1 == in_order.size() ? " and " : ", ";
    list += "'" + name(in_order[i]) + "'";
  }
  return list;
}

bool ComponentGroups::belongTogether(int node, Object& a, Object& b) const {
  const auto& touches = graph_.at(node).touches;
  for (const Touch& first : touches) {
    for (const Touch& second : touches) {
      const std::string role = roleOf(first.object->getType());
      const bool one_role = !role.empty() && role == roleOf(second.object->getType());
      if (find(first.object) != find(second.object) && one_role) {
        a = first.object;
        b = second.object;
        return true;
      }
    }
  }
  return false;
}

std::vector<Crossing> findCrossings(const Graph& graph, const ComponentGroups& groups) {
  return CrossingFinder(graph, groups).find();
}

std::set<int> conditionsOn(const Graph& graph, const ComponentGroups& groups, int definition) {
  std::set<int> conditions;
  for (const int n : reachOf(graph, groups, definition).passed) {
    if (graph.nodes[n].kind == NodeKind::condition) {
      conditions.insert(n);
    }
  }
  return conditions;
}

}  // namespace fdg::compiler
