#include "compiler/graph/DataEdges.h"

#include <algorithm>
#include <map>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Stmt;
using How = Access::How;
using Variable = const clang::ValueDecl*;
using Field = const clang::FieldDecl*;

/// Which definitions of which places may hold here. A field without an entry is as the whole
/// variable.
class State {
 public:
  bool reachable = false;

  void join(const State& other) {
    if (!other.reachable) {
      return;
    }
    if (!reachable) {
      *this = other;
      return;
    }
    std::set<std::pair<Variable, Field>> places;
    for (const auto& [place, definitions] : held_) {
      places.insert(place);
    }
    for (const auto& [place, definitions] : other.held_) {
      places.insert(place);
    }
    std::map<std::pair<Variable, Field>, std::set<int>> joined;
    for (const auto& place : places) {
      std::set<int> both = ofField(place.first, place.second);
      both.merge(std::set<int>(other.ofField(place.first, place.second)));
      joined[place] = std::move(both);
    }
    held_ = std::move(joined);
  }

  /// What a read of the variable, or of one field of it, may see.
  std::set<int> reaching(Variable variable, Field field) const {
    if (field != nullptr) {
      return ofField(variable, field);
    }
    std::set<int> all;
    for (auto entry = held_.lower_bound({variable, nullptr});
         entry != held_.end() && entry->first.first == variable; ++entry) {
      all.insert(entry->second.begin(), entry->second.end());
    }
    return all;
  }

  void define(Variable variable, Field field, int definition, bool kills) {
    if (kills && field == nullptr) {
      held_.erase(held_.lower_bound({variable, nullptr}), upperBound(variable));
    }
    std::set<int> before = kills ? std::set<int>() : ofField(variable, field);
    before.insert(definition);
    held_[{variable, field}] = std::move(before);
    if (!kills && field == nullptr) {
      for (auto entry = held_.lower_bound({variable, nullptr}); entry != upperBound(variable);
           ++entry) {
        entry->second.insert(definition);
      }
    }
  }

  std::set<Variable> variables() const {
    std::set<Variable> all;
    for (const auto& [place, definitions] : held_) {
      all.insert(place.first);
    }
    return all;
  }
  bool operator==(const State& other) const {
    return reachable == other.reachable && held_ == other.held_;
  }

 private:
  using Held = std::map<std::pair<Variable, Field>, std::set<int>>;

  std::set<int> ofField(Variable variable, Field field) const {
    const auto exact = held_.find({variable, field});
    if (exact != held_.end()) {
      return exact->second;
    }
    const auto whole = held_.find({variable, nullptr});
    return whole == held_.end() ? std::set<int>() : whole->second;
  }
  Held::iterator upperBound(Variable variable) {
    auto entry = held_.lower_bound({variable, nullptr});
    while (entry != held_.end() && entry->first.first == variable) {
      ++entry;
    }
    return entry;
  }

  Held held_;
};

/// One forward walk; edges only ever grow, so it may be repeated with more definitions.
class Walk {
 public:
  Walk(const Program& program, const Nodes& nodes, const std::vector<std::vector<Access>>& accesses,
       const std::vector<std::vector<int>>& ids)
      : program_(program), nodes_(nodes), accesses_(accesses), ids_(ids) {}

  void run() {
    State state;
    state.reachable = true;
    block(program_.entry->getBody(), state);
  }

  std::set<Edge> edges;
  std::map<int, State> before_writes;  ///< By node with an in-place write: what holds before it.

 private:
  struct Exits {
    State breaks, continues;
    bool takes_continue = true;
  };

  void node(int n, State& state) {
    if (n < 0 || !state.reachable) {
      return;
    }
    const auto& accesses = accesses_[static_cast<size_t>(n)];
    for (size_t i = 0; i < accesses.size(); ++i) {
      const Access& access = accesses[i];
      if (access.how == How::in_place) {
        before_writes[n].join(state);
      }
      if (access.how == How::assign) {
        continue;
      }
      for (const int definition : state.reaching(access.variable, access.field)) {
        edges.insert({definition, n, access.place, access.field, access.latest,
                      access.how != How::read, false});
      }
    }
    for (size_t i = 0; i < accesses.size(); ++i) {
      const int id = ids_[static_cast<size_t>(n)][i];
      if (id >= 0) {
        state.define(accesses[i].variable, accesses[i].field, id,
                     accesses[i].how == How::assign || accesses[i].how == How::move ||
                         nodes_[n].kind == NodeKind::annotation);
      }
    }
  }

  void block(const Stmt* body, State& state) {
    if (const auto* compound = llvm::dyn_cast_or_null<clang::CompoundStmt>(body)) {
      for (const Stmt* stmt : compound->body()) {
        statement(stmt, state);
      }
    } else if (body != nullptr) {
      statement(body, state);
    }
  }

  void statement(const Stmt* stmt, State& state) {
    if (const auto* attributed = dyn_cast<clang::AttributedStmt>(stmt)) {
      return statement(attributed->getSubStmt(), state);
    }
    if (const auto* label = dyn_cast<clang::SwitchCase>(stmt)) {
      if (!switches_.empty()) {
        state.join(switches_.back());
      }
      return statement(label->getSubStmt(), state);
    }
    if (llvm::isa<clang::CompoundStmt>(stmt)) {
      return block(stmt, state);
    }
    if (const auto* branch = dyn_cast<clang::IfStmt>(stmt)) {
      return ifStatement(branch, state);
    }
    if (const auto* choice = dyn_cast<clang::SwitchStmt>(stmt)) {
      return switchStatement(choice, state);
    }
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt)) {
      return loop(stmt, state);
    }
    if (llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(stmt)) {
      return jump(stmt, state);
    }
    node(nodes_.of(stmt), state);
  }

  void jump(const Stmt* stmt, State& state) {
    for (auto exits = exits_.rbegin(); exits != exits_.rend(); ++exits) {
      if (llvm::isa<clang::BreakStmt>(stmt)) {
        exits->breaks.join(state);
        break;
      }
      if (llvm::isa<clang::ContinueStmt>(stmt) && exits->takes_continue) {
        exits->continues.join(state);
        break;
      }
    }
    state = State();
  }

  void ifStatement(const clang::IfStmt* branch, State& state) {
    node(nodes_.of(branch->getInit()), state);
    node(nodes_.of(branch), state);
    State other = state;
    block(branch->getThen(), state);
    block(branch->getElse(), other);
    state.join(other);
  }

  void switchStatement(const clang::SwitchStmt* choice, State& state) {
    node(nodes_.of(choice->getInit()), state);
    node(nodes_.of(choice), state);
    exits_.push_back({{}, {}, false});
    switches_.push_back(state);
    bool has_default = false;
    for (const clang::SwitchCase* label = choice->getSwitchCaseList(); label != nullptr;
         label = label->getNextSwitchCase()) {
      has_default |= llvm::isa<clang::DefaultStmt>(label);
    }
    State inside;
    block(choice->getBody(), inside);
    inside.join(exits_.back().breaks);
    if (!has_default) {
      inside.join(switches_.back());
    }
    switches_.pop_back();
    exits_.pop_back();
    state = inside;
  }

  void loop(const Stmt* stmt, State& state) {
    const auto* counted = dyn_cast<clang::ForStmt>(stmt);
    const auto* range = dyn_cast<clang::CXXForRangeStmt>(stmt);
    const auto* loop_do = dyn_cast<clang::DoStmt>(stmt);
    if (counted != nullptr || range != nullptr) {
      node(nodes_.of(counted != nullptr ? counted->getInit() : range->getInit()), state);
    }
    const Stmt* body = counted != nullptr   ? counted->getBody()
                       : range != nullptr   ? range->getBody()
                       : loop_do != nullptr ? loop_do->getBody()
                                            : llvm::cast<clang::WhileStmt>(stmt)->getBody();
    const bool endless = constantCondition(stmt, *program_.context).value_or(false);
    const std::vector<State> switches = std::exchange(switches_, {});
    State entry = state;
    State after;
    for (;;) {
      State inside = entry;
      exits_.push_back({});
      if (loop_do == nullptr) {
        node(nodes_.of(stmt), inside);
        after.join(inside);
      }
      block(body, inside);
      inside.join(exits_.back().continues);
      if (loop_do != nullptr) {
        node(nodes_.of(stmt), inside);
        after.join(inside);
      }
      if (endless) {
        after = State();
      }
      node(counted != nullptr ? nodes_.of(counted->getInc()) : -1, inside);
      after.join(exits_.back().breaks);
      exits_.pop_back();
      State again = entry;
      again.join(inside);
      if (again == entry) {
        break;
      }
      entry = again;
    }
    switches_ = switches;
    state = after;
  }

  const Program& program_;
  const Nodes& nodes_;
  const std::vector<std::vector<Access>>& accesses_;
  const std::vector<std::vector<int>>& ids_;
  std::vector<Exits> exits_;
  std::vector<State> switches_;
};

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
      Walk walk(program_, nodes_, accesses_, ids_);
      walk.run();
      result_.edges.assign(walk.edges.begin(), walk.edges.end());
      index();
      findRoots();
      if (!addAliasWrites(walk.before_writes)) {
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

  std::set<int> rootsAt(const State& state, Variable variable) const {
    std::set<int> all;
    for (const int definition : state.reaching(variable, nullptr)) {
      const auto& roots = result_.roots[static_cast<size_t>(definition)];
      all.insert(roots.begin(), roots.end());
    }
    return all;
  }

  /// Pointers to plain variables: what they may point to, whenever.
  std::set<Variable> pointedTo(Variable pointer) const {
    std::set<Variable> found = {pointer};
    for (bool grown = true; grown;) {
      grown = false;
      for (const Effects& effects : effects_.of) {
        for (const auto& [target, source] : effects.shares) {
          grown |= found.count(target) > 0 && !isTensor(target->getType()) &&
                   found.insert(source).second;
        }
      }
    }
    found.erase(pointer);
    return found;
  }

  bool addAliasWrites(const std::map<int, State>& before_writes) {
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

  bool addAliasWrites(const Access& write, const State& state, std::vector<Access>& accesses) {
    const std::set<int> storage = rootsAt(state, write.variable);
    std::set<Variable> aliases = kindOf(write.variable->getType()) == TypeKind::view
                                     ? pointedTo(write.variable)
                                     : std::set<Variable>();
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
        accesses.push_back({alias, nullptr, How::update, write.place, false});
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
