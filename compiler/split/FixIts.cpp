#include "compiler/split/FixIts.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/read/Entities.h"
#include "compiler/read/SourceText.h"

namespace fdg::compiler {
namespace {

using clang::CharSourceRange;
using clang::FixItHint;
using clang::SourceLocation;

class FindMove final : public clang::RecursiveASTVisitor<FindMove> {
 public:
  explicit FindMove(SourceLocation place) : place_(place) {}
  bool VisitCallExpr(clang::CallExpr* call) {
    if (call->getBeginLoc() == place_ && call->isCallToStdMove()) {
      found = call;
    }
    return found == nullptr;
  }
  const clang::CallExpr* found = nullptr;

 private:
  SourceLocation place_;
};

SourceLocation at(const Graph& graph, unsigned offset) {
  const clang::SourceManager& sources = graph.program.sources();
  return sources.getLocForStartOfFile(sources.getMainFileID())
      .getLocWithOffset(static_cast<int>(offset));
}

CharSourceRange chars(const Graph& graph, TextRange range) {
  return CharSourceRange::getCharRange(at(graph, range.begin), at(graph, range.end));
}

/// With its line, where nothing else stands there.
TextRange withLine(const SourceText& source, TextRange range) {
  const llvm::StringRef file = source.file();
  const llvm::StringRef before = file.take_front(range.begin).rtrim(" \t");
  const llvm::StringRef behind = file.drop_front(range.end).ltrim(" \t");
  if (before.ends_with("\n") && behind.starts_with("\n")) {
    return {static_cast<unsigned>(before.size()),
            static_cast<unsigned>(file.size() - behind.size() + 1)};
  }
  return range;
}

/// A statement of a block, written in the file as it is: others can stand beside it.
bool standsInBlock(const Graph& graph, int node) {
  const Node& at = graph.nodes[node];
  return at.header < 0 && at.kind != NodeKind::condition &&
         llvm::isa_and_nonnull<clang::CompoundStmt>(at.block) &&
         !at.stmt->getBeginLoc().isMacroID() && !at.stmt->getEndLoc().isMacroID();
}

bool inOneBlock(const Graph& graph, int a, int b) {
  return standsInBlock(graph, a) && standsInBlock(graph, b) &&
         graph.nodes[a].block == graph.nodes[b].block;
}

}  // namespace

FixIts withoutValue(const Graph& graph, const Annotation& annotation, size_t index) {
  const SourceText source(*graph.program.context);
  if (annotation.call->getBeginLoc().isMacroID()) {
    return {};
  }
  if (annotation.values.size() == 1) {
    return {FixItHint::CreateRemoval(
        chars(graph, withLine(source, source.wholeStatement(annotation.call))))};
  }
  // With the comma in front of it: the operation stands there at least.
  const auto argument = static_cast<unsigned>(index) + 1;
  const unsigned begin = source.range(annotation.call->getArg(argument - 1)->getSourceRange()).end;
  const unsigned end = source.range(annotation.call->getArg(argument)->getSourceRange()).end;
  return {FixItHint::CreateRemoval(chars(graph, {begin, end}))};
}

FixIts movedBehind(const Graph& graph, int node, int target) {
  if (!inOneBlock(graph, node, target)) {
    return {};
  }
  const SourceText source(*graph.program.context);
  const TextRange moved = source.wholeStatement(graph.nodes[node].stmt);
  const TextRange behind = source.wholeStatement(graph.nodes[target].stmt);
  const std::string text = source.file().slice(moved.begin, moved.end).str();
  return {FixItHint::CreateRemoval(chars(graph, withLine(source, moved))),
          FixItHint::CreateInsertion(at(graph, behind.end),
                                     "\n" + source.indentOf(behind.begin) + text)};
}

FixIts movedToDefinition(const Graph& graph, int annotation, const clang::ValueDecl* value) {
  int made = -1;
  bool used = false;
  for (const int e : graph.data.into[static_cast<size_t>(annotation)]) {
    const Definition& definition = graph.definition(graph.edge(e).definition);
    if (definition.variable != value) {
      continue;
    }
    if (made >= 0 || definition.node > annotation) {
      return {};
    }
    made = definition.node;
    for (const int use : graph.data.out_of[static_cast<size_t>(graph.edge(e).definition)]) {
      used |= graph.edge(use).node > made && graph.edge(use).node < annotation;
    }
  }
  return used && graph.program.annotations.at(graph.nodes[annotation].stmt).values.size() == 1
             ? movedBehind(graph, annotation, made)
             : FixIts{};
}

FixIts clonedBefore(const Graph& graph, int node, const clang::ValueDecl* tensor) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(tensor);
  if (variable == nullptr || !variable->isLocalVarDecl() || !isTensor(variable->getType()) ||
      variable->getType()->isReferenceType() || variable->getType().isConstQualified() ||
      !standsInBlock(graph, node)) {
    return {};
  }
  const SourceText source(*graph.program.context);
  const unsigned begin = source.wholeStatement(graph.nodes[node].stmt).begin;
  const std::string name = variable->getNameAsString();
  return {FixItHint::CreateInsertion(at(graph, begin),
                                     name + " = " + name + ".clone();\n" + source.indentOf(begin))};
}

FixIts withoutMove(const Graph& graph, int node, SourceLocation place) {
  FindMove move(place);
  move.TraverseStmt(const_cast<clang::Stmt*>(graph.nodes[node].stmt));
  if (move.found == nullptr || place.isMacroID() || move.found->getRParenLoc().isMacroID()) {
    return {};
  }
  return {FixItHint::CreateRemoval(
              CharSourceRange::getCharRange(place, move.found->getArg(0)->getBeginLoc())),
          FixItHint::CreateRemoval(move.found->getRParenLoc())};
}

}  // namespace fdg::compiler
