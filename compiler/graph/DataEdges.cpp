#include "compiler/graph/DataEdges.h"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/graph/Reaching.h"

namespace fdg::compiler {
namespace {

using How = Access::How;
using Variable = const clang::ValueDecl*;

class Finder {
 public:
  Finder(const Program& program, const Nodes& nodes, const ProgramEffects& effects)
      : program_(program), nodes_(nodes), effects_(effects) {
    for (int n = 0; n < nodes.size(); ++n) {
      accesses_.push_back(effects.of[static_cast<size_t>(n)].accesses);
    }
    ids_.resize(accesses_.size());
  }

  DataEdges find() {
    for (;;) {
      number();
      const Reaching reaching = findReaching(program_, nodes_, accesses_, ids_);
      result_.edges.assign(reaching.edges.begin(), reaching.edges.end());
      index();
      findRoots();
      if (!addAliasWrites(reaching.before_writes)) {
        return std::move(result_);
      }
    }
  }

 private:
  void number() {
    for (size_t n = 0; n < accesses_.size(); ++n) {
      for (size_t i = ids_[n].size(); i < accesses_[n].size(); ++i) {
        const Access& access = accesses_[n][i];
        const bool annotation = nodes_[static_cast<int>(n)].kind == NodeKind::annotation;
        if (access.how == How::read && !annotation) {
          ids_[n].push_back(-1);
          continue;
        }
        ids_[n].push_back(static_cast<int>(result_.definitions.size()));
        result_.definitions.push_back({static_cast<int>(n), access.variable, access.field,
                                       access.how, annotation, access.place});
      }
    }
  }

  void index() {
    result_.into.assign(accesses_.size(), {});
    result_.out_of.assign(result_.definitions.size(), {});
    result_.defined_by.assign(accesses_.size(), {});
    for (size_t e = 0; e < result_.edges.size(); ++e) {
      Edge& edge = result_.edges[e];
      edge.carried = result_.definitions[static_cast<size_t>(edge.definition)].node >= edge.node;
      result_.into[static_cast<size_t>(edge.node)].push_back(static_cast<int>(e));
      result_.out_of[static_cast<size_t>(edge.definition)].push_back(static_cast<int>(e));
    }
    for (size_t d = 0; d < result_.definitions.size(); ++d) {
      result_.defined_by[static_cast<size_t>(result_.definitions[d].node)].push_back(
          static_cast<int>(d));
    }
  }

  /// Variables whose value at that node a definition's storage may come from.
  std::set<Variable> sourcesOf(const Definition& definition) const {
    std::set<Variable> sources;
    for (const auto& [target, source] : effects_.of[static_cast<size_t>(definition.node)].shares) {
      if (target == definition.variable) {
        sources.insert(source);
      }
    }
    if (definition.annotation || definition.how == How::update || definition.how == How::in_place) {
      sources.insert(definition.variable);
    }
    return sources;
  }

  void findRoots() {
    auto& roots = result_.roots;
    roots.assign(result_.definitions.size(), {});
    for (size_t d = 0; d < roots.size(); ++d) {
      roots[d].insert(static_cast<int>(d));
    }
    for (bool grown = true; grown;) {
      grown = false;
      for (size_t d = 0; d < roots.size(); ++d) {
        const Definition& definition = result_.definitions[d];
        const std::set<Variable> sources = sourcesOf(definition);
        for (const int e : result_.into[static_cast<size_t>(definition.node)]) {
          const int source = result_.edges[static_cast<size_t>(e)].definition;
          if (sources.count(result_.definitions[static_cast<size_t>(source)].variable) > 0) {
            const size_t before = roots[d].size();
            const std::set<int> more = roots[static_cast<size_t>(source)];
            roots[d].insert(more.begin(), more.end());
            grown |= roots[d].size() > before;
          }
        }
      }
    }
  }

  std::set<int> rootsAt(const ReachingState& state, Variable variable) const {
    std::set<int> all;
    for (const int definition : state.reaching(variable, nullptr)) {
      const auto& roots = result_.roots[static_cast<size_t>(definition)];
      all.insert(roots.begin(), roots.end());
    }
    return all;
  }

  bool addAliasWrites(const std::map<int, ReachingState>& before_writes) {
    bool added = false;
    for (const auto& [n, state] : before_writes) {
      auto& accesses = accesses_[static_cast<size_t>(n)];
      std::set<Variable> written;
      for (const Access& access : std::vector<Access>(accesses)) {
        if (access.how == How::in_place && written.insert(access.variable).second) {
          added |= addAliasWrites(access, state, accesses);
        }
      }
    }
    return added;
  }

  bool addAliasWrites(const Access& write, const ReachingState& state,
                      std::vector<Access>& accesses) {
    const std::set<int> storage = rootsAt(state, write.variable);
    std::set<Variable> aliases;
    for (Variable variable : state.variables()) {
      const std::set<int> roots = rootsAt(state, variable);
      if (std::any_of(roots.begin(), roots.end(),
                      [&](int root) { return storage.count(root) > 0; })) {
        aliases.insert(variable);
      }
    }
    bool added = false;
    for (Variable alias : aliases) {
      const bool known = std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
        return access.variable == alias && access.field == nullptr &&
               (access.how == How::update || access.how == How::in_place);
      });
      if (alias != write.variable && !known) {
        accesses.push_back({alias, nullptr, How::update, write.place});
        added = true;
      }
    }
    return added;
  }

  const Program& program_;
  const Nodes& nodes_;
  const ProgramEffects& effects_;
  std::vector<std::vector<Access>> accesses_;
  std::vector<std::vector<int>> ids_;
  DataEdges result_;
};

}  // namespace

DataEdges findDataEdges(const Program& program, const Nodes& nodes, const ProgramEffects& effects) {
  return Finder(program, nodes, effects).find();
}

}  // namespace fdg::compiler
