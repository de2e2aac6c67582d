#include "compiler/emit/StatementList.h"

#include <algorithm>

#include "compiler/graph/Nodes.h"
#include "compiler/read/SourceText.h"

namespace fdg::compiler {
namespace {

StatementKind kindOf(const Program& program, const Split& split, const clang::Stmt* stmt) {
  if (program.annotations.contains(stmt)) {
    return StatementKind::annotation;
  }
  if (llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt>(stmt)) {
    return StatementKind::jump;
  }
  if (split.free_or_derived.contains(stmt)) {
    return StatementKind::copied;
  }
  return split.owner.contains(stmt) ? StatementKind::owned : StatementKind::shared;
}

std::string onOneLine(llvm::StringRef text) {
  std::string line;
  for (const char c : text.trim()) {
    const bool space = isspace(static_cast<unsigned char>(c)) != 0;
    if (!space || line.back() != ' ') {
      line += space ? ' ' : c;
    }
  }
  return line;
}

class Lister {
 public:
  Lister(const Program& program, const Split& split)
      : program_(program), split_(split), source_(*program.context), nodes_(buildNodes(program)) {}

  std::vector<ListedStatement> list() {
    std::vector<ListedStatement> list;
    for (const Node& node : nodes_.list) {
      if (split_.number.contains(node.stmt)) {
        list.push_back(describe(node));
      }
    }
    return list;
  }

 private:
  ListedStatement describe(const Node& node) const {
    ListedStatement listed;
    listed.stmt = node.stmt;
    listed.kind = kindOf(program_, split_, node.stmt);
    listed.in_header = node.header >= 0;
    if (const auto owner = split_.owner.find(node.stmt); owner != split_.owner.end()) {
      listed.owner = owner->second;
    }
    for (const FragmentPart& part : split_.fragments) {
      if (part.keeps.contains(node.stmt)) {
        listed.fragments.push_back(part.info.id);
      }
    }
    for (const Boundary* boundary : split_.boundariesAt(node.stmt)) {
      listed.boundaries.push_back(boundary->info.id);
    }
    for (int around = node.parent; around >= 0; around = nodes_[around].parent) {
      ++listed.depth;
    }
    place(listed);
    return listed;
  }

  /// The lines it stands on and its text, without what a control statement decides about.
  void place(ListedStatement& listed) const {
    TextRange range = source_.wholeStatement(listed.stmt);
    listed.line = source_.lineOf(range.begin);
    // A macro that makes a whole control statement is one statement.
    const clang::Stmt* body = program_.isOneMacro(listed.stmt) ? nullptr : bodyOf(listed.stmt);
    listed.is_control = body != nullptr;
    if (body != nullptr) {
      const unsigned begin = source_.range(body->getSourceRange()).begin;
      range.end = std::max(range.begin, begin);
    }
    const llvm::StringRef text = source_.file().slice(range.begin, range.end).rtrim();
    listed.last_line = listed.line + static_cast<int>(text.count('\n'));
    listed.text = text.empty() ? program_.text(listed.stmt) : onOneLine(text);
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(listed.stmt)) {
      listed.text = "do … while (" + program_.text(loop->getCond()) + ")";
    }
  }

  const Program& program_;
  const Split& split_;
  SourceText source_;
  Nodes nodes_;
};

}  // namespace

std::vector<ListedStatement> listStatements(const Program& program, const Split& split) {
  return Lister(program, split).list();
}

const char* kindName(StatementKind kind) {
  switch (kind) {
    case StatementKind::owned:
      return "owned";
    case StatementKind::copied:
      return "copied";
    case StatementKind::shared:
      return "shared";
    case StatementKind::jump:
      return "jump";
    case StatementKind::annotation:
      return "annotation";
  }
  return "";
}

}  // namespace fdg::compiler
