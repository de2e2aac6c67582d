#include "compiler/split/CheckCrossing.h"

#include <algorithm>
#include <tuple>

#include "compiler/graph/FindRandom.h"
#include "compiler/read/Types.h"
#include "compiler/split/FixIts.h"
#include "compiler/split/SpreadChoices.h"

namespace fdg::compiler {
namespace {

using How = Access::How;

class Checker {
 public:
  Checker(const Graph& graph, const Assignment& assignment, const Layouts& layouts,
          Diagnostics& diagnostics)
      : graph_(graph), assignment_(assignment), layouts_(layouts), diagnostics_(diagnostics) {}

  void check() {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      checkWrites(n);
      checkReferences(n);
      checkRowsBound(n);
      for (const auto& place : graph_.at(n).unclear_writes) {
        diagnostics_.report(place, Message::writes_unknown);
      }
      checkDeaths(n);
      checkSettings(n);
      for (const auto& place : graph_.at(n).random_places) {
        checkRandom(place);
      }
    }
    for (const auto& place : findRandom(graph_.program)) {
      checkRandom(place);
    }
    checkReductions();
    checkHanded();
    checkConfig();
    checkStreams();
  }

 private:
  const Annotation& annotation(int node) const {
    return graph_.program.annotations.at(graph_.nodes[node].stmt);
  }

  /// A variable comes behind the temporary that it is made of.
  void checkDeaths(int n) {
    if (!graph_.at(n).deaths.empty()) {
      const Death& death = graph_.at(n).deaths.back();
      diagnostics_.report(death.place, Message::destructor_acts)
          << death.object << death.temporary << death.logs;
    }
  }

  /// Every fragment does them, at different times.
  void checkSettings(int n) {
    bool late = graph_.nodes[n].loop >= 0;
    for (int before = 0; before < n && !late; ++before) {
      late = graph_.nodes[before].is_loop || graph_.nodes[before].kind == NodeKind::annotation;
    }
    for (const Setting& setting : graph_.at(n).settings) {
      if (setting.in_component && said_.insert(setting.place).second) {
        diagnostics_.report(setting.place, Message::setting_in_component) << setting.what;
      } else if (!setting.in_component && (late || setting.depends)) {
        diagnostics_.report(setting.place, Message::setting_late) << (late ? 0 : 1);
      }
    }
  }

  void checkRandom(clang::SourceLocation place) {
    if (random_.insert(place).second) {
      diagnostics_.report(place, Message::random_outside_stream);
    }
  }

  void checkWrites(int n) {
    std::set<clang::SourceLocation> said;
    std::set<const clang::ValueDecl*> written;
    std::vector<Access> accesses = graph_.at(n).accesses;
    std::ranges::sort(accesses, {}, [](const Access& access) {  // the owner before its views
      return std::tuple(access.variable->getLocation().getRawEncoding(),
                        access.place.getRawEncoding(), access.how);
    });
    for (const Access& access : accesses) {
      const bool moves = access.how == How::move && usedAfterMove(n, access.variable);
      if ((access.how != How::in_place && !moves) || said.count(access.place) > 0) {
        continue;
      }
      const int crossed = crossedBefore(n, access.variable);
      if (crossed < 0) {
        continue;
      }
      const auto* value = graph_.definition(crossed).variable;
      if (!moves && !written.insert(value).second) {
        continue;  // by the same statement
      }
      said.insert(access.place);
      const auto& impurities = graph_.at(n).impurities;
      const bool unknown = !impurities.empty() &&
                           impurities.front().kind == Impurity::Kind::unknown &&
                           impurities.front().place == access.place;
      if (unknown) {
        diagnostics_.report(access.place, Message::may_write_crossed)
            << impurities.front().what << value << static_cast<int>(impurities.front().by_value);
      } else {
        diagnostics_.report(access.place, moves ? Message::moves_crossed : Message::writes_crossed)
            << value << static_cast<int>(value != access.variable) << access.variable
            << (moves                      ? withoutMove(graph_, n, access.place)
                : value == access.variable ? clonedBefore(graph_, n, value)
                                           : FixIts{});
      }
      diagnostics_.report(annotation(graph_.definition(crossed).node).call->getBeginLoc(),
                          Message::note_crosses_here)
          << value;
    }
  }

  bool usedAfterMove(int n, const clang::ValueDecl* variable) const {
    for (const int d : graph_.data.defined_by[static_cast<size_t>(n)]) {
      const Definition& definition = graph_.definition(d);
      if (definition.variable == variable && definition.how == How::move &&
          !graph_.data.out_of[static_cast<size_t>(d)].empty()) {
        return true;
      }
    }
    return false;
  }

  /// The annotation whose value shares storage with what node n writes through `variable`, if it
  /// may run before it; -1: none.
  int crossedBefore(int n, const clang::ValueDecl* variable) const {
    const bool crosses_itself = sharesState(variable->getType());
    std::set<int> roots;
    for (const int e : graph_.data.into[static_cast<size_t>(n)]) {
      const int d = graph_.edge(e).definition;
      if (graph_.definition(d).variable != variable) {
        continue;
      }
      if (graph_.definition(d).annotation && crosses_itself) {
        return d;
      }
      roots.insert(graph_.data.roots[static_cast<size_t>(d)].begin(),
                   graph_.data.roots[static_cast<size_t>(d)].end());
    }
    for (const CommonValue& value : assignment_.values) {
      for (const int root : graph_.data.roots[static_cast<size_t>(value.definition)]) {
        if (roots.count(root) > 0 &&
            sharesState(graph_.definition(value.definition).variable->getType()) &&
            mayPrecede(value.node, n, graph_.definition(root).node)) {
          return value.definition;
        }
      }
    }
    return -1;
  }

  /// Node `first` may run before `second` on storage that was made at `made`.
  bool mayPrecede(int first, int second, int made) const {
    if (first < second) {
      for (int a = first; a >= 0; a = graph_.nodes[a].parent) {
        for (int b = second; b >= 0; b = graph_.nodes[b].parent) {
          const Node &left = graph_.nodes[a], &right = graph_.nodes[b];
          if (left.parent == right.parent && left.parent >= 0 && left.branch != right.branch &&
              sameIteration(left.parent, made)) {
            return false;  // then and else of one if
          }
        }
      }
      return true;
    }
    for (int loop = graph_.nodes[first].loop; loop >= 0; loop = graph_.nodes[loop].loop) {
      if (graph_.nodes.isInside(second, loop) && !graph_.nodes.isInside(made, loop)) {
        return true;
      }
    }
    return false;
  }

  bool sameIteration(int control, int made) const {
    const int loop = graph_.nodes[control].loop;
    return loop < 0 || graph_.nodes.isInside(made, loop);
  }

  /// A reference that was bound before its variable crossed is used behind the annotation.
  void checkReferences(int n) {
    for (const Access& access : graph_.at(n).accesses) {
      const auto bound = graph_.effects.references.find(access.variable);
      if (bound == graph_.effects.references.end() || access.how != How::read) {
        continue;
      }
      const int binding = bindingNode(access.variable);
      for (const int e : graph_.data.into[static_cast<size_t>(n)]) {
        const Definition& definition = graph_.definition(graph_.edge(e).definition);
        if (definition.annotation && definition.variable == bound->second && binding >= 0 &&
            binding < definition.node && binding != n && !boundAnew(binding, definition.node, n)) {
          diagnostics_.report(access.place, Message::reference_across)
              << access.variable << bound->second
              << (usedBetween(access.variable, binding, definition.node)
                      ? FixIts{}
                      : movedBehind(graph_, binding, definition.node));
          diagnostics_.report(graph_.nodes.place(binding), Message::note_bound_here)
              << access.variable;
          diagnostics_.report(annotation(definition.node).call->getBeginLoc(),
                              Message::note_crosses_here)
              << bound->second;
          return;
        }
      }
    }
  }

  bool usedBetween(const clang::ValueDecl* variable, int first, int last) const {
    for (int n = first + 1; n < last; ++n) {
      if (namedIn(graph_.nodes[n]).count(variable) > 0) {
        return true;
      }
    }
    return false;
  }

  /// The annotation stands behind the use, in a loop that binds the reference in every round.
  bool boundAnew(int binding, int annotation, int use) const {
    int loop = annotation > use ? graph_.nodes[use].loop : -1;
    while (loop >= 0 && !graph_.nodes.isInside(annotation, loop)) {
      loop = graph_.nodes[loop].loop;
    }
    return loop >= 0 && graph_.nodes.isInside(binding, loop);
  }

  int bindingNode(const clang::ValueDecl* reference) const {
    for (const Definition& definition : graph_.data.definitions) {
      if (definition.variable == reference && definition.how == How::assign) {
        return definition.node;
      }
    }
    return -1;
  }

  void checkRowsBound(int n) {
    if (graph_.nodes[n].kind != NodeKind::condition ||
        !layouts_.from_rows[static_cast<size_t>(n)]) {
      return;
    }
    for (const CommonValue& value : assignment_.values) {
      if (graph_.nodes.isInside(value.node, n)) {
        diagnostics_.report(graph_.nodes.place(n), Message::rows_bound_boundary)
            << graph_.nodes[n].is_loop;
        diagnostics_.report(annotation(value.node).call->getBeginLoc(),
                            Message::note_boundary_here);
        return;
      }
    }
  }

  void checkReductions() {
    for (const CommonValue& value : assignment_.values) {
      const Annotation& call = annotation(value.node);
      if (!isExchange(call.operation) || value.is_free) {
        continue;
      }
      const auto* variable = graph_.definition(value.definition).variable;
      bool whole = true;
      const clang::ValueDecl* from = nullptr;
      int source = -1;
      for (const int e : graph_.data.into[static_cast<size_t>(value.node)]) {
        const int d = graph_.edge(e).definition;
        if (graph_.definition(d).variable == variable) {
          whole &= layouts_.of_definition[static_cast<size_t>(d)] == Layout::whole;
          source = graph_.definition(d).node;
          from = variable;
        }
      }
      if (whole && from != nullptr) {
        diagnostics_.report(call.references[value.index]->getBeginLoc(), Message::reduces_whole)
            << variable << operationName(call.operation) << withoutValue(graph_, call, value.index);
        diagnostics_.report(graph_.nodes.place(source), Message::note_made_here) << variable;
      }
    }
  }

  /// What crosses is memory that its component goes on writing.
  void checkHanded() {
    for (const CommonValue& value : assignment_.values) {
      if (const auto [origin, node] = handedBy(value.definition); origin != nullptr) {
        const auto* field = llvm::dyn_cast<clang::FieldDecl>(origin);
        const auto* variable = graph_.definition(value.definition).variable;
        diagnostics_.report(annotation(value.node).references[value.index]->getBeginLoc(),
                            Message::crosses_handle)
            << variable << origin
            << (field != nullptr ? llvm::cast<clang::NamedDecl>(field->getParent()) : origin)
            << (field != nullptr ? 0 : 1);
        diagnostics_.report(graph_.nodes.place(node), Message::note_handed_here) << variable;
      }
    }
  }

  /// Writes into tensors and the like that the configuration holds.
  void checkConfig() {
    const auto* config = graph_.program.entry->getParamDecl(1);
    for (size_t d = 0; d < graph_.data.definitions.size(); ++d) {
      const Definition& definition = graph_.data.definitions[d];
      if (definition.how == How::in_place && !definition.annotation &&
          (definition.variable == config || sharesWith(static_cast<int>(d), config)) &&
          said_.insert(definition.place).second) {
        diagnostics_.report(definition.place, Message::config_written) << config;
      }
    }
  }

  bool sharesWith(int definition, const clang::ValueDecl* variable) const {
    return llvm::any_of(graph_.data.roots[static_cast<size_t>(definition)], [&](int root) {
      const Definition& made = graph_.definition(root);
      return llvm::is_contained(graph_.at(made.node).shares,
                                std::pair<const clang::ValueDecl*, const clang::ValueDecl*>(
                                    made.variable, variable));
    });
  }

  std::pair<const clang::ValueDecl*, int> handedBy(int definition) const {
    for (const int root : graph_.data.roots[static_cast<size_t>(definition)]) {
      const int node = graph_.definition(root).node;
      for (const auto& [target, origin] : graph_.at(node).handed) {
        if (target == graph_.definition(root).variable) {
          return {origin, node};
        }
      }
    }
    return {nullptr, -1};
  }

  void checkStreams() {
    std::map<std::string, clang::SourceLocation> taken;
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      for (const auto& [name, place] : graph_.at(n).streams) {
        const auto [entry, added] = taken.emplace(name, place);
        if (!added && entry->second != place) {
          diagnostics_.report(place, Message::stream_twice) << name;
          diagnostics_.report(entry->second, Message::note_first_taken);
        } else if (added && graph_.nodes[n].loop >= 0) {
          diagnostics_.report(place, Message::stream_in_loop) << name;
        }
      }
    }
  }

  const Graph& graph_;
  const Assignment& assignment_;
  const Layouts& layouts_;
  Diagnostics& diagnostics_;
  std::set<clang::SourceLocation> random_, said_;
};

}  // namespace

bool checkCrossing(const Graph& graph, const Assignment& assignment, const Layouts& layouts,
                   Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  Checker(graph, assignment, layouts, diagnostics).check();
  return diagnostics.errors() == before;
}

}  // namespace fdg::compiler
