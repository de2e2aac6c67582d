#include "compiler/split/Draining.h"

#include <algorithm>

#include "compiler/split/SpreadChoices.h"

namespace fdg::compiler {
namespace {

class Block {
 public:
  Block(const Graph& graph, const Assignment& assignment, const Split& split,
        const Boundary& boundary, int consumer)
      : graph_(graph),
        assignment_(assignment),
        split_(split),
        part_(split.fragments[static_cast<size_t>(consumer)]),
        consumer_(consumer),
        place_(graph.nodes.of(boundary.place)),
        outermost_(boundary.info.loops.front()),
        message_(definitionsOf(graph, assignment, boundary)),
        name_(boundary.info.values.front()) {}

  /// Fills the block; returns why there is none, or an empty string.
  std::string find() {
    std::set<int> users;
    for (const int d : message_) {
      for (const int e : graph_.data.out_of[static_cast<size_t>(d)]) {
        const Edge& edge = graph_.edge(e);
        if (!kept(edge.node) || edge.node == place_) {
          continue;
        }
        if (edge.node < place_) {
          return at(edge.node) + " uses `" + name_ + "` before it is received again";
        }
        users.insert(edge.node);
      }
    }
    std::string refusal = collect(users);
    for (auto n = covered.begin(); refusal.empty() && n != covered.end(); ++n) {
      refusal = check(*n);
    }
    return refusal.empty() ? checkScopes() : refusal;
  }

  std::vector<int> statements;
  std::set<int> covered;

 private:
  bool kept(int n) const { return part_.keeps.count(graph_.nodes[n].stmt) > 0; }
  /// A declaration whose variables get their values elsewhere.
  bool declares(int n) const {
    const auto* stmt = llvm::dyn_cast<clang::DeclStmt>(graph_.nodes[n].stmt);
    return stmt != nullptr && std::any_of(part_.declares.begin(), part_.declares.end(),
                                          [&](const auto* v) { return encloses(stmt, v); });
  }
  std::string at(int n) const {
    const clang::Expr* condition = conditionOf(graph_.nodes[n].stmt);
    const clang::Stmt* shown = condition != nullptr ? condition : graph_.nodes[n].stmt;
    return (condition != nullptr ? "the condition `" : "`") + graph_.program.text(shown, 48) +
           "` at line " + std::to_string(graph_.line(n));
  }

  /// What reads in the same block what node n makes of the message.
  void addReaders(int n, std::set<int>& left) const {
    const int around = graph_.nodes[place_].parent;
    for (const int d : graph_.data.defined_by[static_cast<size_t>(n)]) {
      for (const int e : graph_.data.out_of[static_cast<size_t>(d)]) {
        const int reader = graph_.edge(e).node;
        const bool near = around < 0 || graph_.nodes.isInside(reader, around);
        if (kept(reader) && reader > n && near && covered.count(reader) == 0) {
          left.insert(reader);
        }
      }
    }
  }

  /// The kept statements behind the annotation in its own block, up to the last that uses the
  /// message or what is made of it.
  std::string collect(const std::set<int>& users) {
    const Node& place = graph_.nodes[place_];
    std::set<int> left = users;
    const auto cover = [&](int n) {
      covered.insert(n);
      left.erase(n);
      addReaders(n, left);
    };
    for (int n = place_ + 1; n < graph_.nodes.size() && !left.empty(); ++n) {
      const Node& node = graph_.nodes[n];
      if (node.parent != place.parent || node.branch != place.branch || node.header >= 0 ||
          !(kept(n) || declares(n))) {
        continue;
      }
      if (node.block != place.block) {  // { … }
        if (left.count(n) > 0) {
          break;
        }
        return at(n) + " stands in another block than the annotation, in front of a use of `" +
               name_ + "`";
      }
      statements.push_back(n);
      cover(n);
      for (int inner = n + 1; node.kind == NodeKind::condition && inner <= node.last; ++inner) {
        if (kept(inner)) {
          cover(inner);
        }
      }
    }
    return left.empty() ? ""
                        : at(*left.begin()) + " uses `" + name_ +
                              "` outside the block in which it is received";
  }

  std::string check(int n) const {
    const Node& node = graph_.nodes[n];
    const Effects& effects = graph_.at(n);
    if (node.kind == NodeKind::annotation) {
      return at(n) + " is a boundary among the statements that use `" + name_ + "`";
    }
    if (node.kind == NodeKind::jump && leaves(n)) {
      return at(n) + " stands among the statements that use `" + name_ + "`";
    }
    if (node.kind == NodeKind::condition && !assignment_.isCopied(n) &&
        assignment_.fragment[static_cast<size_t>(n)] != consumer_) {
      return at(n) + " is decided by another fragment";
    }
    if (const Boundary* choice = choiceOf(n)) {
      return at(n) + " is told to fragment '" + nameOf(choice->info.consumers.front()) +
             "' in every iteration";
    }
    for (const Impurity& impurity : effects.impurities) {
      if (impurity.kind != Impurity::Kind::log) {
        return at(n) + " calls `" + impurity.what + "`, and fdgc does not know what it does";
      }
    }
    if (!effects.globals.empty()) {
      return at(n) + " uses `" + effects.globals.front().first->getNameAsString() +
             "`, which outlives the training function";
    }
    const std::string reads = checkReads(n);
    return reads.empty() ? checkWrites(n) : reads;
  }

  /// Leaves a loop or switch that is not all inside the block.
  bool leaves(int jump) const {
    const auto targets = jumpTargets(graph_.nodes);
    const auto target = targets.find(graph_.nodes[jump].stmt);
    return target == targets.end() || covered.count(target->second) == 0;
  }

  std::string checkReads(int n) const {
    for (const int e : graph_.data.into[static_cast<size_t>(n)]) {
      const Edge& edge = graph_.edge(e);
      const Definition& definition = graph_.definition(edge.definition);
      // What the block declares starts anew with every message.
      const bool own = covered.count(definition.node) > 0 &&
                       (!edge.carried || declared(definition.variable) == Where::block);
      if (own || message_.count(edge.definition) > 0) {
        continue;
      }
      if (isMessage(definition.variable)) {
        return at(n) + " also runs where `" + name_ + "` was not received, as line " +
               std::to_string(graph_.line(definition.node)) + " left it";
      }
      if (!isInvariant(definition)) {
        return at(n) + reads(definition) + "; send it along: fdg::partition(…, " + name_ + ", " +
               definition.variable->getNameAsString() + ")";
      }
    }
    return "";
  }

  std::string reads(const Definition& definition) const {
    const std::string variable = "`" + definition.variable->getNameAsString() + "`";
    if (definition.annotation || !assignment_.isCopied(definition.node) ||
        assignment_.share[static_cast<size_t>(definition.node)] == Share::derived) {
      return " also reads " + variable + ", defined at line " +
             std::to_string(graph_.line(definition.node));
    }
    return graph_.nodes[definition.node].header >= 0
               ? " reads the loop counter " + variable
               : " reads " + variable + ", which changes from one iteration to the next";
  }

  enum class Where { block, loop, outside };

  /// Whether a variable is declared by the block, by the rest of the outermost loop, or before it.
  Where declared(const clang::ValueDecl* variable) const {
    if (!isOfFunction(variable)) {
      return Where::block;  // of a lambda: it begins anew with every call
    }
    for (const int n : statements) {
      if (encloses(graph_.nodes[n].stmt, variable)) {
        return Where::block;
      }
    }
    return encloses(graph_.nodes[outermost_].stmt, variable) ? Where::loop : Where::outside;
  }

  bool isOfFunction(const clang::ValueDecl* variable) const {
    return variable->getDeclContext() == graph_.program.entry;
  }
  bool encloses(const clang::Stmt* stmt, const clang::ValueDecl* variable) const {
    return standsIn(graph_, variable->getLocation(), stmt);
  }

  /// Defined outside every loop around the annotation.
  bool isInvariant(const Definition& definition) const {
    for (int loop = graph_.nodes[place_].loop; loop >= 0; loop = graph_.nodes[loop].loop) {
      if (graph_.nodes.isInside(definition.node, loop)) {
        return false;
      }
    }
    return true;
  }

  std::string checkWrites(int n) const {
    for (const int d : graph_.data.defined_by[static_cast<size_t>(n)]) {
      for (const int e : graph_.data.out_of[static_cast<size_t>(d)]) {
        const int reader = graph_.edge(e).node;
        const bool own_next =
            graph_.edge(e).carried && declared(graph_.definition(d).variable) != Where::block;
        if (kept(reader) && (covered.count(reader) == 0 || own_next)) {
          return at(n) + " also defines `" + graph_.definition(d).variable->getNameAsString() +
                 "`, which line " + std::to_string(graph_.line(reader)) + " uses";
        }
      }
    }
    return "";
  }

  /// The block runs in front of the loop: what stands in the loop around it is out of its reach,
  /// and what it declares is out of the loop's.
  std::string checkScopes() const {
    const int last = covered.empty() ? place_ : *covered.rbegin();
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      const bool inside = covered.count(n) > 0;
      if (!kept(n) || (!inside && n < last && !graph_.at(n).guards_scope)) {
        continue;
      }
      const std::string why = graph_.at(n).guards_scope ? checkGuard(n, inside, last) : "";
      if (!why.empty()) {
        return why;
      }
      for (const clang::ValueDecl* variable : namedIn(graph_.nodes[n])) {
        const std::string name = "`" + variable->getNameAsString() + "`";
        if (inside && declared(variable) == Where::loop && !isMessage(variable)) {
          return at(n) + " uses " + name + ", which is declared inside the loop at line " +
                 std::to_string(graph_.program.line(variable->getLocation())) +
                 "; declare it in front of the loop, or behind the annotation";
        }
        if (!inside && n > last && isOfFunction(variable) && declared(variable) == Where::block) {
          return at(n) + " uses " + name + ", which is declared among the statements that use `" +
                 name_ + "`; declare it in front of the annotation";
        }
      }
    }
    return "";
  }

  /// A guard, a local type or a using acts on what follows it in its own block.
  std::string checkGuard(int n, bool inside, int last) const {
    const Node& guard = graph_.nodes[n];
    const auto* stmt = llvm::dyn_cast<clang::DeclStmt>(guard.stmt);
    const auto* variable = stmt != nullptr && stmt->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(stmt->getSingleDecl())
                               : nullptr;
    if (variable != nullptr && variable->isStaticLocal()) {
      return "";  // its uses count
    }
    const auto acts = [&](int held) {
      return guard.block == nullptr || standsIn(graph_, graph_.nodes.place(held), guard.block);
    };
    if (!inside && n < place_ && graph_.nodes.isInside(n, outermost_) && acts(place_)) {
      return at(n) + " also acts on the statements that use `" + name_ +
             "`; write it in front of the loop, or behind the annotation";
    }
    for (int held = last + 1; inside && held < graph_.nodes.size(); ++held) {
      if (kept(held) && acts(held) &&
          std::find(statements.begin(), statements.end(), n) != statements.end()) {
        return at(n) + " also acts on line " + std::to_string(graph_.line(held)) +
               ", which does not use `" + name_ + "`; put braces around what it is for";
      }
    }
    return "";
  }

  bool isMessage(const clang::ValueDecl* variable) const {
    return std::any_of(message_.begin(), message_.end(),
                       [&](int d) { return graph_.definition(d).variable == variable; });
  }

  const Boundary* choiceOf(int n) const {
    for (const Boundary& boundary : split_.boundaries) {
      if (boundary.info.implicit && boundary.place == graph_.nodes[n].stmt) {
        return &boundary;
      }
    }
    return nullptr;
  }
  const std::string& nameOf(int fragment) const {
    return split_.fragments[static_cast<size_t>(fragment)].info.name;
  }

  const Graph& graph_;
  const Assignment& assignment_;
  const Split& split_;
  const FragmentPart& part_;
  int consumer_;
  int place_;
  int outermost_;  ///< The loop in front of which the block is registered.
  std::set<int> message_;
  std::string name_;
};

}  // namespace

bool standsIn(const Graph& graph, clang::SourceLocation place, const clang::Stmt* stmt) {
  const auto& sources = graph.program.sources();
  const auto where = sources.getExpansionLoc(place);
  const auto begin = sources.getExpansionLoc(stmt->getBeginLoc());
  const auto end = sources.getExpansionLoc(stmt->getEndLoc());
  return !sources.isBeforeInTranslationUnit(where, begin) &&
         !sources.isBeforeInTranslationUnit(end, where);
}

std::set<int> definitionsOf(const Graph& graph, const Assignment& assignment,
                            const Boundary& boundary) {
  std::set<int> definitions;
  const int node = graph.nodes.of(boundary.place);
  for (const CommonValue& value : assignment.values) {
    if (value.node == node && value.producer == boundary.info.producer) {
      definitions.insert(value.definition);
    }
  }
  return definitions;
}

DrainBlocks findDrainBlocks(const Graph& graph, const Assignment& assignment, const Split& split,
                            const Boundary& boundary) {
  DrainBlocks blocks;
  const std::string name = "`" + boundary.info.values.front() + "`";
  if (!boundary.info.loose) {
    blocks.refusal = name + " at line " + std::to_string(boundary.info.line) +
                     " is not marked loose: write fdg::" + operationName(boundary.info.operation) +
                     ".loose() if the algorithm stays valid with stale values";
    return blocks;
  }
  if (boundary.info.producer_needs_result ||
      boundary.info.consumers == std::vector<int>{boundary.info.producer}) {
    blocks.refusal = "fragment '" +
                     split.fragments[static_cast<size_t>(boundary.info.producer)].info.name +
                     "' makes " + name + " and waits for the result of " +
                     operationName(boundary.info.operation) + " itself";
    return blocks;
  }
  if (boundary.info.operation == OperationKind::all_gather) {
    blocks.refusal =
        "all_gather joins the rows of all replicas, which a single message does not have";
    return blocks;
  }
  if (boundary.info.loops.empty()) {
    blocks.refusal = name + " crosses once, outside every loop: there is nothing to drain";
    return blocks;
  }
  for (const int consumer : boundary.info.consumers) {
    Block block(graph, assignment, split, boundary, consumer);
    blocks.refusal = block.find();
    if (!blocks.refusal.empty()) {
      return blocks;
    }
    blocks.of[consumer] = block.statements;
    blocks.covered[consumer] = block.covered;
  }
  return blocks;
}

}  // namespace fdg::compiler
