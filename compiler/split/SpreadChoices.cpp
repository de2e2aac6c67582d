#include "compiler/split/SpreadChoices.h"

#include <algorithm>

#include "compiler/read/SpellType.h"
#include "compiler/split/ExplainPath.h"
#include "compiler/split/FixIts.h"

namespace fdg::compiler {
namespace {

class Spreader {
 public:
  Spreader(const Graph& graph, const Assignment& assignment, const Needs& needs,
           Diagnostics& diagnostics)
      : graph_(graph), assignment_(assignment), diagnostics_(diagnostics), needs_(needs) {}

  std::optional<Split> spread() {
    const int errors_before = diagnostics_.errors();
    checkSeparation();
    if (diagnostics_.errors() > errors_before) {
      return std::nullopt;
    }
    numberNodes();
    makeFragments();
    makeBoundaries();
    makeLoops();
    return std::move(split_);
  }

 private:
  void checkSeparation() {
    for (size_t v = 0; v < assignment_.values.size(); ++v) {
      const CommonValue& value = assignment_.values[v];
      const Annotation& annotation = graph_.program.annotations.at(graph_.nodes[value.node].stmt);
      const clang::ValueDecl* variable = annotation.values[value.index];
      const auto place = annotation.references[value.index]->getBeginLoc();
      if (!isReached(value.node, variable)) {
        diagnostics_.report(place, Message::annotation_unreachable)
            << variable << withoutValue(graph_, annotation, value.index);
        continue;
      }
      if (value.is_free) {
        diagnostics_.report(place, Message::annotation_of_free)
            << variable << withoutValue(graph_, annotation, value.index);
        continue;
      }
      const bool exchange = isExchange(annotation.operation);
      if (!needs_.receives[v].empty()) {
        continue;
      }
      if (graph_.data.out_of[static_cast<size_t>(value.definition)].empty() ||
          (exchange && !needs_.producer_reads[v])) {
        const FixIts moved = movedToDefinition(graph_, value.node, variable);
        diagnostics_.report(place, Message::annotation_unused)
            << variable << (moved.empty() ? withoutValue(graph_, annotation, value.index) : moved);
      } else if (!exchange) {
        explainNoSeparation(v, variable, place);
      }
    }
  }

  /// No value of the variable comes where no way leads.
  bool isReached(int node, const clang::ValueDecl* variable) const {
    return std::ranges::any_of(graph_.data.into[static_cast<size_t>(node)], [&](int e) {
      return graph_.definition(graph_.edge(e).definition).variable == variable;
    });
  }

  /// Prints the shortest chain of statements that still joins both sides.
  void explainNoSeparation(size_t v, const clang::ValueDecl* variable,
                           clang::SourceLocation place) {
    const CommonValue& value = assignment_.values[v];
    const auto& name = assignment_.names[static_cast<size_t>(value.producer)];
    std::vector<int> best;
    for (const int e : graph_.data.out_of[static_cast<size_t>(value.definition)]) {
      const int reader = graph_.edge(e).node;
      const auto path = assignment_.path(assignment_.elementOfValue(v), reader);
      if (!path.empty() && (best.empty() || path.size() < best.size())) {
        best = path;
      }
    }
    diagnostics_.report(place, Message::separates_nothing)
        << variable << name << (best.empty() ? 1 : 0);
    explainPath(graph_, assignment_, best, diagnostics_);
    explainWayAround(value, variable);
  }

  /// An annotation under a condition leaves the value uncut where the condition does not hold.
  void explainWayAround(const CommonValue& value, const clang::ValueDecl* variable) {
    const auto& data = graph_.data;
    for (const int e : data.out_of[static_cast<size_t>(value.definition)]) {
      for (const int other : data.into[static_cast<size_t>(graph_.edge(e).node)]) {
        const Definition& around = graph_.definition(graph_.edge(other).definition);
        if (around.variable != variable || around.annotation) {
          continue;
        }
        for (int n = graph_.nodes[value.node].parent; n >= 0; n = graph_.nodes[n].parent) {
          if (!graph_.nodes.isInside(graph_.edge(e).node, n) &&
              !graph_.nodes.isInside(around.node, n)) {
            diagnostics_.report(graph_.nodes.place(n), Message::note_deciding) << variable;
            return;
          }
        }
      }
    }
  }

  void numberNodes() {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      const clang::Stmt* stmt = graph_.nodes[n].stmt;
      split_.number[stmt] = n;
      if (assignment_.fragment[static_cast<size_t>(n)] >= 0) {
        split_.owner[stmt] = assignment_.fragment[static_cast<size_t>(n)];
      } else if (assignment_.isCopied(n)) {
        split_.free_or_derived.insert(stmt);
      }
    }
  }

  void makeFragments() {
    for (int f = 0; f < assignment_.fragments(); ++f) {
      FragmentPart part;
      part.info.id = f;
      part.info.name = assignment_.names[static_cast<size_t>(f)];
      for (const Component& component : assignment_.components) {
        if (component.fragment == f) {
          part.info.components.push_back(component.variable->getNameAsString());
          auto& roles = part.info.roles;
          if (!component.role.empty() &&
              std::find(roles.begin(), roles.end(), component.role) == roles.end()) {
            roles.push_back(component.role);
          }
        }
      }
      std::set<int> lines;
      for (const int n : needs_.keeps[static_cast<size_t>(f)]) {
        part.keeps.insert(graph_.nodes[n].stmt);
        lines.insert(graph_.line(n));
      }
      part.info.lines.assign(lines.begin(), lines.end());
      split_.fragments.push_back(std::move(part));
    }
    for (int f = 0; f < assignment_.fragments(); ++f) {
      findDeclares(f);
    }
  }

  /// Variables that kept statements name although their declaration is not kept.
  void findDeclares(int f) {
    FragmentPart& part = split_.fragments[static_cast<size_t>(f)];
    std::set<const clang::ValueDecl*> declared;
    for (const int n : needs_.keeps[static_cast<size_t>(f)]) {
      const Node& node = graph_.nodes[n];
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(node.stmt)) {
        for (const clang::Decl* decl : declaration->decls()) {
          addDeclared(decl, declared);
        }
      }
      if (node.kind == NodeKind::condition && !asks(f, n)) {
        const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(node.stmt);
        addDeclared(range != nullptr ? range->getLoopVariable() : conditionVariable(node.stmt),
                    declared);
      }
    }
    for (const int n : needs_.keeps[static_cast<size_t>(f)]) {
      const Node& node = graph_.nodes[n];
      if (node.kind == NodeKind::condition && asks(f, n)) {
        continue;  // it asks instead of evaluating
      }
      for (const clang::ValueDecl* variable :
           node.kind == NodeKind::annotation ? valuesAt(f, n) : namedIn(node)) {
        const auto* local = llvm::dyn_cast<clang::VarDecl>(variable);
        const bool outside =
            local != nullptr && (!local->isLocalVarDecl() || local->isStaticLocal());
        if (!outside && declared.count(variable) == 0 && isOfFunction(variable)) {
          part.declares.insert(variable);
        }
      }
    }
  }

  bool asks(int fragment, int condition) const {
    const auto askers = needs_.asks.find(condition);
    return askers != needs_.asks.end() && askers->second.count(fragment) > 0;
  }

  std::set<const clang::ValueDecl*> valuesAt(int f, int annotation) const {
    std::set<int> producers;  // whose boundaries this fragment takes part in
    for (size_t v = 0; v < assignment_.values.size(); ++v) {
      const CommonValue& value = assignment_.values[v];
      if (value.node == annotation && (value.producer == f || needs_.receives[v].count(f) > 0)) {
        producers.insert(value.producer);
      }
    }
    std::set<const clang::ValueDecl*> variables;
    for (const CommonValue& value : assignment_.values) {
      if (value.node == annotation && producers.count(value.producer) > 0) {
        variables.insert(graph_.definition(value.definition).variable);
      }
    }
    return variables;
  }

  static void addDeclared(const clang::Decl* decl, std::set<const clang::ValueDecl*>& declared) {
    if (const auto* decomposition = llvm::dyn_cast_or_null<clang::DecompositionDecl>(decl)) {
      declared.insert(decomposition->bindings().begin(), decomposition->bindings().end());
    } else if (const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(decl)) {
      declared.insert(variable);
    }
  }

  /// Declared by a node of the function itself, not inside a lambda or a local class.
  bool isOfFunction(const clang::ValueDecl* variable) const {
    if (variable->getDeclContext() != graph_.program.entry) {
      return false;
    }
    return std::any_of(graph_.data.definitions.begin(), graph_.data.definitions.end(),
                       [&](const Definition& d) { return d.variable == variable; }) ||
           llvm::isa<clang::VarDecl>(variable);
  }

  void makeBoundaries() {
    std::set<std::string> names;
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      if (graph_.nodes[n].kind == NodeKind::annotation) {
        std::set<int> producers;
        std::vector<int> order;
        for (const CommonValue& value : assignment_.values) {
          if (value.node == n && producers.insert(value.producer).second) {
            order.push_back(value.producer);
          }
        }
        for (const int producer : order) {
          addAnnotated(n, producer, names);
        }
      } else if (const auto asked = needs_.asks.find(n);
                 asked != needs_.asks.end() && !asked->second.empty()) {
        addChoice(n, asked->second, names);
      }
    }
  }

  Boundary& addBoundary(int node, const std::string& base, std::set<std::string>& names) {
    Boundary boundary;
    boundary.place = graph_.nodes[node].stmt;
    boundary.info.id = static_cast<int>(split_.boundaries.size());
    boundary.info.line = graph_.line(node);
    boundary.info.name = base;
    for (int i = 2; !names.insert(boundary.info.name).second; ++i) {
      boundary.info.name = base + std::to_string(i);
    }
    for (int loop = graph_.nodes[node].loop; loop >= 0; loop = graph_.nodes[loop].loop) {
      boundary.info.loops.insert(boundary.info.loops.begin(), loop);
    }
    const int parent = graph_.nodes[node].parent;
    boundary.info.conditional = parent >= 0 && parent != graph_.nodes[node].loop;
    split_.boundaries.push_back(std::move(boundary));
    return split_.boundaries.back();
  }

  void addAnnotated(int n, int producer, std::set<std::string>& names) {
    const Annotation& annotation = graph_.program.annotations.at(graph_.nodes[n].stmt);
    std::set<int> consumers;
    bool reads = false;
    std::vector<const clang::ValueDecl*> values;
    for (size_t v = 0; v < assignment_.values.size(); ++v) {
      if (assignment_.values[v].node == n && assignment_.values[v].producer == producer) {
        values.push_back(annotation.values[assignment_.values[v].index]);
        consumers.insert(needs_.receives[v].begin(), needs_.receives[v].end());
        reads |= needs_.producer_reads[v];
      }
    }
    Boundary& boundary = addBoundary(n, values.front()->getNameAsString(), names);
    boundary.values = values;
    for (const clang::ValueDecl* value : values) {
      boundary.info.values.push_back(value->getNameAsString());
      boundary.info.types.push_back(canonicalType(value->getType(), *graph_.program.context));
      boundary.spelled_types.push_back(spellType(value->getType(), graph_.program.entry));
    }
    boundary.info.operation = annotation.operation;
    boundary.info.loose = annotation.loose;
    boundary.info.producer = producer;
    boundary.info.producer_needs_result = reads && isExchange(annotation.operation);
    if (consumers.empty()) {
      consumers.insert(producer);
    }
    boundary.info.consumers.assign(consumers.begin(), consumers.end());
  }

  void addChoice(int n, const std::set<int>& consumers, std::set<std::string>& names) {
    const clang::Stmt* control = graph_.nodes[n].stmt;
    const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(control);
    const bool counts = llvm::isa<clang::SwitchStmt>(control) ||
                        (range != nullptr && hasFixedLength(range));
    Boundary& boundary = addBoundary(n, "choice", names);
    boundary.info.implicit = true;
    boundary.info.operation = OperationKind::broadcast;
    boundary.info.producer = assignment_.fragment[static_cast<size_t>(n)];
    boundary.info.consumers.assign(consumers.begin(), consumers.end());
    boundary.info.types = {counts ? "int64_t" : "bool"};
    boundary.spelled_types = boundary.info.types;
    std::string askers;
    for (const int f : consumers) {
      askers += (askers.empty() ? "" : ", ") + assignment_.names[static_cast<size_t>(f)];
    }
    diagnostics_.report(graph_.nodes.place(n), Message::choice_sent)
        << assignment_.names[static_cast<size_t>(boundary.info.producer)] << askers;
  }

  void makeLoops() {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      if (!graph_.nodes[n].is_loop) {
        continue;
      }
      LoopInfo loop;
      loop.id = n;
      loop.parent = graph_.nodes[n].loop;
      loop.line = graph_.line(n);
      loop.trip_count = tripCount(n);
      loop.has_boundary =
          std::any_of(split_.boundaries.begin(), split_.boundaries.end(), [&](const Boundary& b) {
            return std::find(b.info.loops.begin(), b.info.loops.end(), n) != b.info.loops.end();
          });
      split_.loops.push_back(std::move(loop));
    }
  }

  /// The bound of `for (i = 0; i < bound; ++i)` where it is free.
  std::optional<std::string> tripCount(int n) const {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(graph_.nodes[n].stmt);
    const auto* condition =
        loop != nullptr ? llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond()) : nullptr;
    const auto* increment =
        loop != nullptr ? llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc()) : nullptr;
    const auto* declaration =
        loop != nullptr ? llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit()) : nullptr;
    const auto* counter = declaration != nullptr && declaration->isSingleDecl()
                              ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                              : nullptr;
    if (condition == nullptr || condition->getOpcode() != clang::BO_LT || increment == nullptr ||
        !increment->isIncrementOp() || counter == nullptr || counter->getInit() == nullptr ||
        assignment_.share[static_cast<size_t>(n)] != Share::free) {
      return std::nullopt;
    }
    const auto* left =
        llvm::dyn_cast<clang::DeclRefExpr>(condition->getLHS()->IgnoreParenImpCasts());
    const auto start = counter->getInit()->getIntegerConstantExpr(*graph_.program.context);
    if (left == nullptr || left->getDecl() != counter || !start || *start != 0 ||
        !condition->getRHS()->getType()->isIntegerType() || changesInside(n)) {
      return std::nullopt;
    }
    return graph_.program.text(condition->getRHS(), 200);
  }

  /// The loop's own body changes the counter or the bound.
  bool changesInside(int loop) const {
    return std::any_of(graph_.data.into[static_cast<size_t>(loop)].begin(),
                       graph_.data.into[static_cast<size_t>(loop)].end(), [&](int e) {
                         const int node = graph_.definition(graph_.edge(e).definition).node;
                         return graph_.nodes.isInside(node, loop) &&
                                graph_.nodes[node].header != loop;
                       });
  }

  const Graph& graph_;
  const Assignment& assignment_;
  Diagnostics& diagnostics_;
  const Needs& needs_;
  Split split_;
};

}  // namespace

bool isExchange(OperationKind operation) {
  return isReduction(operation) || operation == OperationKind::all_gather;
}

std::vector<const Boundary*> Split::boundariesAt(const clang::Stmt* place) const {
  std::vector<const Boundary*> at;
  for (const Boundary& boundary : boundaries) {
    if (boundary.place == place) {
      at.push_back(&boundary);
    }
  }
  return at;
}

std::optional<Split> spreadChoices(const Graph& graph, const Assignment& assignment,
                                   const Needs& needs, Diagnostics& diagnostics) {
  return Spreader(graph, assignment, needs, diagnostics).spread();
}

}  // namespace fdg::compiler
