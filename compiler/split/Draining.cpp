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
        part_(split.fragments[static_cast<size_t>(consumer)]),
        consumer_(consumer),
        place_(graph.nodes.of(boundary.place)),
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
    const std::string refusal = collect(users);
    if (!refusal.empty()) {
      return refusal;
    }
    for (const int n : covered) {
      const std::string why = check(n);
      if (!why.empty()) {
        return why;
      }
    }
    return "";
  }

  std::vector<int> statements;
  std::set<int> covered;

 private:
  bool kept(int n) const { return part_.keeps.count(graph_.nodes[n].stmt) > 0; }
  std::string at(int n) const {
    const clang::Expr* condition = conditionOf(graph_.nodes[n].stmt);
    const clang::Stmt* shown = condition != nullptr ? condition : graph_.nodes[n].stmt;
    return (condition != nullptr ? "the condition `" : "`") + graph_.program.text(shown, 48) +
           "` at line " + std::to_string(graph_.line(n));
  }

  /// The kept statements behind the annotation in its own block, up to the last that uses the
  /// message.
  std::string collect(const std::set<int>& users) {
    const Node& place = graph_.nodes[place_];
    std::set<int> left = users;
    for (int n = place_ + 1; n < graph_.nodes.size() && !left.empty(); ++n) {
      const Node& node = graph_.nodes[n];
      if (node.block != place.block || node.parent != place.parent || node.branch != place.branch ||
          node.header >= 0 || !kept(n)) {
        continue;
      }
      statements.push_back(n);
      covered.insert(n);
      left.erase(n);
      for (int inner = n + 1; node.kind == NodeKind::condition && inner <= node.last; ++inner) {
        if (kept(inner)) {
          covered.insert(inner);
          left.erase(inner);
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
    if (node.kind == NodeKind::jump) {
      return at(n) + " stands among the statements that use `" + name_ + "`";
    }
    if (node.kind == NodeKind::condition && !assignment_.isCopied(n) &&
        assignment_.fragment[static_cast<size_t>(n)] != consumer_) {
      return at(n) + " is decided by another fragment";
    }
    for (const Impurity& impurity : effects.impurities) {
      if (impurity.kind != Impurity::Kind::log) {
        return at(n) + " calls `" + impurity.what + "`, of which is not known what it does";
      }
    }
    if (!effects.globals.empty()) {
      return at(n) + " uses `" + effects.globals.front().first->getNameAsString() +
             "`, which outlives the program";
    }
    const std::string reads = checkReads(n);
    return reads.empty() ? checkWrites(n) : reads;
  }

  std::string checkReads(int n) const {
    for (const int e : graph_.data.into[static_cast<size_t>(n)]) {
      const Edge& edge = graph_.edge(e);
      const Definition& definition = graph_.definition(edge.definition);
      const bool own = covered.count(definition.node) > 0 && !edge.carried;
      const bool own_accumulator =
          definition.node == n && graph_.nodes[n].kind != NodeKind::condition;
      if (message_.count(edge.definition) > 0 || own ||
          (own_accumulator && declaredInside(definition.variable))) {
        continue;
      }
      const std::string variable = "`" + definition.variable->getNameAsString() + "`";
      if (definition.annotation || !assignment_.isCopied(definition.node) ||
          assignment_.share[static_cast<size_t>(definition.node)] == Share::derived) {
        return at(n) + " also reads " + variable + ", defined at line " +
               std::to_string(graph_.line(definition.node)) +
               "; send it along: fdg::partition(…, " + name_ + ", " +
               definition.variable->getNameAsString() + ")";
      }
      if (!isInvariant(definition)) {
        const bool counter = graph_.nodes[definition.node].header >= 0;
        return at(n) + " reads " + (counter ? "the loop counter " : "") + variable +
               (counter ? "" : ", which changes from one iteration to the next") +
               "; send it along: fdg::partition(…, " + name_ + ", " +
               definition.variable->getNameAsString() + ")";
      }
    }
    return "";
  }

  bool declaredInside(const clang::ValueDecl* variable) const {
    return std::any_of(covered.begin(), covered.end(), [&](int n) {
      return llvm::isa<clang::DeclStmt>(graph_.nodes[n].stmt) &&
             !graph_.data.defined_by[static_cast<size_t>(n)].empty() &&
             graph_.definition(graph_.data.defined_by[static_cast<size_t>(n)].front()).variable ==
                 variable;
    });
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
            graph_.edge(e).carried && !declaredInside(graph_.definition(d).variable);
        if (kept(reader) && (covered.count(reader) == 0 || own_next)) {
          return at(n) + " also defines `" + graph_.definition(d).variable->getNameAsString() +
                 "`, which line " + std::to_string(graph_.line(reader)) + " uses";
        }
      }
    }
    return "";
  }

  const Graph& graph_;
  const Assignment& assignment_;
  const FragmentPart& part_;
  int consumer_;
  int place_;
  std::set<int> message_;
  std::string name_;
};

}  // namespace

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
