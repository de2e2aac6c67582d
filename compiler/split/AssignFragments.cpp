#include "compiler/split/AssignFragments.h"

#include <algorithm>
#include <deque>
#include <numeric>

#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"
#include "compiler/split/NameFragments.h"

namespace fdg::compiler {
namespace {

class Groups {
 public:
  explicit Groups(int size) : leader_(static_cast<size_t>(size)) {
    std::iota(leader_.begin(), leader_.end(), 0);
  }
  int find(int element) {
    int& leader = leader_[static_cast<size_t>(element)];
    return leader == element ? element : leader = find(leader);
  }
  void join(int a, int b) { leader_[static_cast<size_t>(find(b))] = find(a); }

 private:
  std::vector<int> leader_;
};

class Assigner {
 public:
  Assigner(const Graph& graph, Diagnostics& diagnostics)
      : graph_(graph), diagnostics_(diagnostics) {}

  std::optional<Assignment> assign() {
    const int errors_before = diagnostics_.errors();
    result_.nodes = graph_.nodes.size();
    findValues();
    findComponents();
    findCopied();
    findLinks();
    findUnanchored();
    joinGroups();
    placeLeftovers();
    nameFragments(
        graph_, [&](int element) { return groups_->find(element); }, result_);
    remarkLeftovers();
    return diagnostics_.errors() > errors_before ? std::nullopt : std::optional(std::move(result_));
  }

 private:
  Share& share(int node) { return result_.share[static_cast<size_t>(node)]; }
  bool owned(int node) const { return result_.share[static_cast<size_t>(node)] == Share::owned; }
  int elements() const {
    return result_.nodes + static_cast<int>(result_.values.size() + result_.components.size());
  }

  void findValues() {
    for (size_t d = 0; d < graph_.data.definitions.size(); ++d) {
      const Definition& definition = graph_.data.definitions[d];
      if (!definition.annotation) {
        continue;
      }
      const auto& values = graph_.program.annotations.at(graph_.nodes[definition.node].stmt).values;
      const auto at = std::find(values.begin(), values.end(), definition.variable);
      result_.value_of[static_cast<int>(d)] = static_cast<int>(result_.values.size());
      result_.values.push_back(
          {definition.node, static_cast<size_t>(at - values.begin()), static_cast<int>(d)});
    }
  }

  void findComponents() {
    for (int n = 0; n < result_.nodes; ++n) {
      for (const Touch& touch : graph_.at(n).touches) {
        const bool known =
            std::any_of(result_.components.begin(), result_.components.end(),
                        [&](const Component& c) { return c.variable == touch.object; });
        if (!known) {
          const int element =
              result_.nodes + static_cast<int>(result_.values.size() + result_.components.size());
          result_.components.push_back({touch.object, roleOf(touch.object->getType()), element});
        }
      }
    }
  }

  /// Greatest fixpoint: pure statements that read nothing owned.
  void findCopied() {
    result_.share.assign(static_cast<size_t>(result_.nodes), Share::owned);
    result_.fragment.assign(static_cast<size_t>(result_.nodes), -1);
    for (int n = 0; n < result_.nodes; ++n) {
      const NodeKind kind = graph_.nodes[n].kind;
      const Effects& effects = graph_.at(n);
      if (kind == NodeKind::jump || kind == NodeKind::annotation) {
        share(n) = Share::structural;
      } else if (effects.touches.empty() && effects.impurities.empty() && effects.globals.empty()) {
        share(n) = Share::free;
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Edge& edge : graph_.data.edges) {
        const Definition& definition = graph_.definition(edge.definition);
        const bool copied = share(edge.node) == Share::free || share(edge.node) == Share::derived;
        if (!copied || edge.node == definition.node) {
          continue;
        }
        if (owned(definition.node)) {
          share(edge.node) = Share::owned;
          changed = true;
        } else if ((definition.annotation || share(definition.node) == Share::derived) &&
                   share(edge.node) == Share::free) {
          share(edge.node) = Share::derived;
          changed = true;
        }
      }
    }
  }

  void findLinks() {
    for (const Edge& edge : graph_.data.edges) {
      const Definition& definition = graph_.definition(edge.definition);
      if (definition.annotation || !owned(definition.node)) {
        continue;
      }
      if (graph_.nodes[edge.node].kind != NodeKind::annotation) {
        if (owned(edge.node)) {
          result_.links.push_back({definition.node, edge.node, definition.variable, false});
        }
        continue;
      }
      for (size_t v = 0; v < result_.values.size(); ++v) {
        const Definition& common = graph_.definition(result_.values[v].definition);
        if (common.node == edge.node && common.variable == definition.variable) {
          result_.links.push_back(
              {definition.node, result_.elementOfValue(v), definition.variable, false});
        }
      }
    }
    for (int n = 0; n < result_.nodes; ++n) {
      for (const Touch& touch : graph_.at(n).touches) {
        for (const Component& component : result_.components) {
          if (component.variable == touch.object) {
            result_.links.push_back({n, component.element, touch.object, true});
          }
        }
      }
    }
  }

  /// Elements that no component holds in place: impure statements without owned inputs, and what
  /// depends on nothing owned but them. They must not join what they feed.
  void findUnanchored() {
    unanchored_.assign(static_cast<size_t>(elements()), false);
    for (int n = 0; n < result_.nodes; ++n) {
      unanchored_[static_cast<size_t>(n)] = owned(n) && graph_.at(n).touches.empty();
    }
    for (size_t v = 0; v < result_.values.size(); ++v) {
      unanchored_[static_cast<size_t>(result_.elementOfValue(v))] = true;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Link& link : result_.links) {
        const bool from = unanchored_[static_cast<size_t>(link.a)];
        auto to = unanchored_.begin() + link.b;
        if (!link.object && !from && *to) {
          *to = false;
          changed = true;
        }
      }
    }
  }

  void joinGroups() {
    groups_.emplace(elements());
    for (const Link& link : result_.links) {
      if (unanchored_[static_cast<size_t>(link.a)] == unanchored_[static_cast<size_t>(link.b)]) {
        groups_->join(link.a, link.b);
      }
    }
  }

  void placeLeftovers() {
    for (int element = 0; element < elements(); ++element) {
      const bool value = element >= result_.nodes;
      if (!unanchored_[static_cast<size_t>(element)] || (!value && !owned(element))) {
        continue;
      }
      std::map<int, const Link*> neighbours;
      for (const Link& link : result_.links) {
        if (groups_->find(link.a) == groups_->find(element) &&
            !unanchored_[static_cast<size_t>(link.b)]) {
          neighbours.emplace(groups_->find(link.b), &link);
        }
      }
      neighbours.erase(groups_->find(element));
      if (neighbours.size() > 1) {
        refuseTwoSides(element, neighbours);
      }
      const int target = neighbours.empty() ? vote(element) : neighbours.begin()->first;
      if (target < 0) {
        anchor(element, element);
        continue;
      }
      anchor(element, target);
      if (neighbours.empty()) {
        const int node =
            value ? result_.values[static_cast<size_t>(element - result_.nodes)].node : element;
        leftovers_.emplace_back(node, element);
      }
    }
  }

  /// The whole group of an unanchored element goes to where `target` is.
  void anchor(int element, int target) {
    const int group = groups_->find(element);
    for (int other = 0; other < elements(); ++other) {
      if (groups_->find(other) == group) {
        unanchored_[static_cast<size_t>(other)] = false;
      }
    }
    groups_->join(target, element);
  }

  void refuseTwoSides(int element, const std::map<int, const Link*>& neighbours) {
    const int group = groups_->find(element);
    for (int n = 0; n < result_.nodes; ++n) {
      if (groups_->find(n) != group || graph_.at(n).impurities.empty()) {
        continue;
      }
      const Impurity& impurity = graph_.at(n).impurities.front();
      const bool random = impurity.kind == Impurity::Kind::random;
      diagnostics_.report(impurity.place,
                          random ? Message::random_on_two_sides : Message::impure_on_two_sides)
          << impurity.what << static_cast<int>(impurity.by_value);
      for (const auto& [other, link] : neighbours) {
        const int node =
            link->b < result_.nodes ? link->b : result_.values[link->b - result_.nodes].node;
        diagnostics_.report(graph_.nodes.place(node), Message::note_needed_here) << link->variable;
      }
      return;
    }
  }

  /// The fragment that holds most of a group's inputs, consumers first; without inputs that of the
  /// statement before it.
  int vote(int element) {
    std::map<int, std::pair<int, int>> votes;  // group → (inputs held, received)
    int node = element;
    for (int other = 0; other < elements(); ++other) {
      if (groups_->find(other) != groups_->find(element)) {
        continue;
      }
      std::set<int> inputs;
      if (other < result_.nodes) {
        collectInputs(other, nullptr, inputs);
      } else {
        const CommonValue& value = result_.values[static_cast<size_t>(other - result_.nodes)];
        node = value.node;
        collectInputs(value.node, graph_.definition(value.definition).variable, inputs);
      }
      for (const int input : inputs) {
        countHolders(input, votes);
      }
    }
    int best = -1;
    for (const auto& [group, count] : votes) {
      const bool better = best < 0 || count > votes[best];
      best = better ? group : best;
    }
    return best >= 0 ? best : neighbourInSource(std::min(node, result_.nodes - 1));
  }

  /// Common values that a node reads, directly or through derived statements.
  void collectInputs(int node, const clang::ValueDecl* only, std::set<int>& inputs) const {
    std::set<int> seen;
    std::deque<int> open = {node};
    while (!open.empty()) {
      const int n = open.front();
      open.pop_front();
      if (!seen.insert(n).second) {
        continue;
      }
      for (const int e : graph_.data.into[static_cast<size_t>(n)]) {
        const int d = graph_.edge(e).definition;
        const Definition& definition = graph_.definition(d);
        if (n == node && only != nullptr && definition.variable != only) {
          continue;
        }
        if (definition.annotation) {
          inputs.insert(result_.value_of.at(d));
        } else if (result_.isCopied(definition.node)) {
          open.push_back(definition.node);
        }
      }
    }
  }

  void countHolders(int value, std::map<int, std::pair<int, int>>& votes) {
    const int element = result_.elementOfValue(static_cast<size_t>(value));
    std::set<int> holders;
    if (!unanchored_[static_cast<size_t>(element)]) {
      holders.insert(groups_->find(element));
    }
    for (int n = 0; n < result_.nodes; ++n) {
      if (!owned(n) || unanchored_[static_cast<size_t>(n)]) {
        continue;
      }
      std::set<int> read;
      collectInputs(n, nullptr, read);
      const int group = groups_->find(n);
      if (read.count(value) > 0 && holders.insert(group).second) {
        ++votes[group].second;
      }
    }
    for (const int holder : holders) {
      ++votes[holder].first;
    }
  }

  int neighbourInSource(int node) {
    const auto anchored = [&](int n) { return owned(n) && !unanchored_[static_cast<size_t>(n)]; };
    for (int n = node - 1; n >= 0; --n) {
      if (anchored(n)) {
        return groups_->find(n);
      }
    }
    for (int n = node + 1; n < result_.nodes; ++n) {
      if (anchored(n)) {
        return groups_->find(n);
      }
    }
    return -1;
  }

  void remarkLeftovers() {
    for (const auto& [node, element] : leftovers_) {
      const int fragment =
          element < result_.nodes
              ? result_.fragment[static_cast<size_t>(element)]
              : result_.values[static_cast<size_t>(element - result_.nodes)].producer;
      diagnostics_.report(graph_.nodes.place(node), Message::leftover_placed)
          << result_.names[static_cast<size_t>(fragment)];
    }
  }

  const Graph& graph_;
  Diagnostics& diagnostics_;
  Assignment result_;
  std::optional<Groups> groups_;
  std::vector<bool> unanchored_;
  std::vector<std::pair<int, int>> leftovers_;
};

}  // namespace

std::vector<int> Assignment::path(int from, int to) const {
  std::map<int, int> before = {{from, -1}};
  std::deque<int> open = {from};
  while (!open.empty() && before.count(to) == 0) {
    const int at = open.front();
    open.pop_front();
    for (const Link& link : links) {
      const int next = link.a == at ? link.b : link.b == at ? link.a : -1;
      if (next >= 0 && before.emplace(next, at).second) {
        open.push_back(next);
      }
    }
  }
  std::vector<int> path;
  for (int at = before.count(to) > 0 ? to : -1; at >= 0; at = before[at]) {
    path.insert(path.begin(), at);
  }
  return path;
}

std::optional<Assignment> assignFragments(const Graph& graph, Diagnostics& diagnostics) {
  return Assigner(graph, diagnostics).assign();
}

}  // namespace fdg::compiler
