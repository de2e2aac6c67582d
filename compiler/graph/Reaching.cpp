#include "compiler/graph/Reaching.h"

#include <utility>

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"

namespace fdg::compiler {
namespace {

using clang::dyn_cast;
using clang::Stmt;
using How = Access::How;
using Variable = const clang::ValueDecl*;
using Field = const clang::FieldDecl*;

class Walk {
 public:
  Walk(const Program& program, const Nodes& nodes, const std::vector<std::vector<Access>>& accesses,
       const std::vector<std::vector<int>>& ids)
      : program_(program), nodes_(nodes), accesses_(accesses), ids_(ids) {}

  Reaching run() {
    ReachingState state;
    state.reachable = true;
    block(program_.entry->getBody(), state);
    return std::move(found_);
  }

 private:
  struct Exits {
    ReachingState breaks, continues;
    bool takes_continue = true;
  };
  struct KnownLoop {
    ReachingState entry, after;
  };

  void node(int n, ReachingState& state) {
    if (n < 0 || !state.reachable) {
      return;
    }
    const auto& accesses = accesses_[static_cast<size_t>(n)];
    for (size_t i = 0; i < accesses.size(); ++i) {
      const Access& access = accesses[i];
      if (access.how == How::in_place) {
        found_.before_writes[n].join(state);
      }
      if (access.how == How::assign) {
        continue;
      }
      for (const int definition : state.reaching(access.variable, access.field)) {
        found_.edges.insert({definition, n, access.place, access.field, access.latest,
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

  void block(const Stmt* body, ReachingState& state) {
    if (const auto* compound = llvm::dyn_cast_or_null<clang::CompoundStmt>(body)) {
      for (const Stmt* stmt : compound->body()) {
        statement(stmt, state);
      }
    } else if (body != nullptr) {
      statement(body, state);
    }
  }

  void statement(const Stmt* stmt, ReachingState& state) {
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
      return ifReachingStatement(branch, state);
    }
    if (const auto* choice = dyn_cast<clang::SwitchStmt>(stmt)) {
      return switchReachingStatement(choice, state);
    }
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt)) {
      return loop(stmt, state);
    }
    if (llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(stmt)) {
      return jump(stmt, state);
    }
    node(nodes_.of(stmt), state);
  }

  void jump(const Stmt* stmt, ReachingState& state) {
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
    state = ReachingState();
  }

  void ifReachingStatement(const clang::IfStmt* branch, ReachingState& state) {
    node(nodes_.of(branch->getInit()), state);
    node(nodes_.of(branch), state);
    ReachingState other = state;
    block(branch->getThen(), state);
    block(branch->getElse(), other);
    const auto taken = branch->isConstexpr() ? constantCondition(branch, *program_.context)
                                             : std::nullopt;
    if (!taken) {
      state.join(other);
    } else if (!*taken) {
      state = other;
    }
  }

  void switchReachingStatement(const clang::SwitchStmt* choice, ReachingState& state) {
    node(nodes_.of(choice->getInit()), state);
    node(nodes_.of(choice), state);
    exits_.push_back({{}, {}, false});
    switches_.push_back(state);
    bool has_default = false;
    for (const clang::SwitchCase* label = choice->getSwitchCaseList(); label != nullptr;
         label = label->getNextSwitchCase()) {
      has_default |= llvm::isa<clang::DefaultStmt>(label);
    }
    ReachingState inside;
    block(choice->getBody(), inside);
    inside.join(exits_.back().breaks);
    if (!has_default) {
      inside.join(switches_.back());
    }
    switches_.pop_back();
    exits_.pop_back();
    state = inside;
  }

  void loop(const Stmt* stmt, ReachingState& state) {
    const auto* counted = dyn_cast<clang::ForStmt>(stmt);
    const auto* range = dyn_cast<clang::CXXForRangeStmt>(stmt);
    const auto* loop_do = dyn_cast<clang::DoStmt>(stmt);
    if (counted != nullptr || range != nullptr) {
      node(nodes_.of(counted != nullptr ? counted->getInit() : range->getInit()), state);
    }
    const bool endless = constantCondition(stmt, *program_.context).value_or(false);
    // Of a loop inside another one: what held here only grows from turn to turn.
    KnownLoop& known = loops_[stmt];
    ReachingState entry = state;
    entry.join(known.entry);
    if (entry == known.entry) {
      state = known.after;
      return;
    }
    const std::vector<ReachingState> switches = std::exchange(switches_, {});
    ReachingState after;
    for (;;) {
      ReachingState inside = entry;
      exits_.push_back({});
      if (loop_do == nullptr) {
        node(nodes_.of(stmt), inside);
        after.join(inside);
      }
      block(bodyOf(stmt), inside);
      inside.join(exits_.back().continues);
      if (loop_do != nullptr) {
        node(nodes_.of(stmt), inside);
        after.join(inside);
      }
      if (endless) {
        after = ReachingState();
      }
      node(counted != nullptr ? nodes_.of(counted->getInc()) : -1, inside);
      after.join(exits_.back().breaks);
      exits_.pop_back();
      ReachingState again = entry;
      again.join(inside);
      if (again == entry) {
        break;
      }
      entry = again;
    }
    switches_ = switches;
    known = {entry, after};
    state = after;
  }

  const Program& program_;
  const Nodes& nodes_;
  const std::vector<std::vector<Access>>& accesses_;
  const std::vector<std::vector<int>>& ids_;
  std::vector<Exits> exits_;
  std::map<const Stmt*, KnownLoop> loops_;
  std::vector<ReachingState> switches_;
  Reaching found_;
};

}  // namespace

void ReachingState::join(const ReachingState& other) {
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

std::set<int> ReachingState::reaching(Variable variable, Field field) const {
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

void ReachingState::define(Variable variable, Field field, int definition, bool kills) {
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

std::set<Variable> ReachingState::variables() const {
  std::set<Variable> all;
  for (const auto& [place, definitions] : held_) {
    all.insert(place.first);
  }
  return all;
}
std::set<int> ReachingState::ofField(Variable variable, Field field) const {
  const auto exact = held_.find({variable, field});
  if (exact != held_.end()) {
    return exact->second;
  }
  const auto whole = held_.find({variable, nullptr});
  return whole == held_.end() ? std::set<int>() : whole->second;
}
ReachingState::Held::iterator ReachingState::upperBound(Variable variable) {
  auto entry = held_.lower_bound({variable, nullptr});
  while (entry != held_.end() && entry->first.first == variable) {
    ++entry;
  }
  return entry;
}

Reaching findReaching(const Program& program, const Nodes& nodes,
                      const std::vector<std::vector<Access>>& accesses,
                      const std::vector<std::vector<int>>& ids) {
  Walk walk(program, nodes, accesses, ids);
  return walk.run();
}

}  // namespace fdg::compiler
