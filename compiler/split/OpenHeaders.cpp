#include "compiler/split/OpenHeaders.h"

#include <algorithm>

#include "clang/AST/StmtCXX.h"
#include "compiler/read/CannotCross.h"
#include "compiler/split/ChooseOperation.h"
#include "compiler/split/HeaderParts.h"
#include "compiler/split/SeparateComponents.h"

namespace fdg::compiler {
namespace {

using Goes = HeaderPart::Goes;
using Object = ComponentGroups::Object;

class HeaderOpener {
 public:
  HeaderOpener(const Graph& graph, Diagnostics& diagnostics)
      : graph_(graph), diagnostics_(diagnostics), source_(*graph.program.context), groups_(graph) {}

  CutEdits open() {
    joinInseparable(graph_, groups_, [](int, const std::set<Object>&, const std::string&) {});
    for (const int n : wanted()) {
      HeaderPart part = headerPart(graph_, n);
      if (part.why_not.empty()) {
        say(n, part);
        const int header = graph_.nodes[n].header;
        opened_[header < 0 ? n : header].push_back(std::move(part));
      }
    }
    // Texts of one place keep the order in which they are added: what is around comes first in
    // front, and last behind.
    for (const auto& [control, parts] : opened_) {
      begin(graph_.nodes[control].stmt, parts);
    }
    for (auto opened = opened_.rbegin(); opened != opened_.rend(); ++opened) {
      end(graph_.nodes[opened->first].stmt, opened->second);
    }
    return std::move(edits_);
  }

 private:
  using Parts = std::vector<HeaderPart>;

  /// In the order in which they run: of a header, the init statement before the condition.
  std::vector<int> wanted() const {
    std::vector<int> inits;
    std::vector<int> others;
    std::set<int> seen;
    const auto add = [&](int n) {
      const Node& node = graph_.nodes[n];
      if (standsInHeader(graph_, n) && seen.insert(n).second) {
        (node.header >= 0 && !node.increment ? inits : others).push_back(n);
      }
    };
    const auto addAround = [&](int node) {
      add(node);
      const Node& at = graph_.nodes[node];
      for (int n = node + 1; !isAskedAgain(at) && n <= at.last; ++n) {
        if (graph_.nodes[n].header == node) {
          add(n);  // runs in front of it in the same header, so it goes with it
        }
      }
    };
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      if (groups_.of(n).size() > 1) {
        addAround(n);
      }
    }
    for (const Crossing& crossing : crossingsAndSettled(graph_, groups_)) {
      const Definition& definition = graph_.definition(crossing.definition);
      if (!whyCannotCross(definition.variable)) {
        addAround(definition.node);
      }
    }
    inits.insert(inits.end(), others.begin(), others.end());
    return inits;
  }

  void say(int n, const HeaderPart& part) {
    std::string text;
    for (const std::string& statement : part.statements) {
      text += (text.empty() ? "" : " ") + statement;
    }
    diagnostics_.report(graph_.nodes.place(n), Message::header_opened)
        << text << static_cast<int>(part.goes);
  }

  static std::vector<std::string> statementsOf(const Parts& parts, Goes goes) {
    std::vector<std::string> statements;
    for (const HeaderPart& part : parts) {
      if (part.goes == goes) {
        statements.insert(statements.end(), part.statements.begin(), part.statements.end());
      }
    }
    return statements;
  }
  static bool goesInside(const Parts& parts) {
    return std::ranges::any_of(parts,
                               [](const HeaderPart& part) { return part.goes != Goes::before; });
  }

  void begin(const clang::Stmt* control, const Parts& parts) {
    const unsigned offset = source_.wholeStatement(control).begin;
    const std::string indent = source_.indentOf(offset);
    for (const HeaderPart& part : parts) {
      const auto lines = source_.file().slice(part.taken.begin, part.taken.end).count('\n');
      edits_.replace(part.taken, part.left, static_cast<long>(lines));
    }
    std::vector<std::string> before = statementsOf(parts, Goes::before);
    if (!before.empty()) {
      before.insert(before.begin(), "{");
      edits_.lead(offset, indent, before);
    }
    if (!goesInside(parts)) {
      return;
    }
    std::vector<std::string> first = statementsOf(parts, Goes::first);
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(bodyOf(control))) {
      const unsigned inside = source_.offset(block->getLBracLoc()) + 1;
      edits_.follow(inside, source_.behindComment(inside), indent + "  ", first);
    } else {
      first.insert(first.begin(), "{");
      edits_.lead(source_.wholeStatement(bodyOf(control)).begin, indent, first);
    }
  }

  void end(const clang::Stmt* control, const Parts& parts) {
    const TextRange whole = source_.wholeStatement(control);
    const std::string indent = source_.indentOf(whole.begin);
    std::vector<std::string> last = statementsOf(parts, Goes::last);
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(bodyOf(control))) {
      std::ranges::transform(last, last.begin(), [](const auto& text) { return "  " + text; });
      edits_.lead(source_.offset(block->getRBracLoc()), indent, last);
    } else if (goesInside(parts)) {
      const unsigned behind = source_.wholeStatement(bodyOf(control)).end;
      last.push_back("}");
      edits_.follow(behind, behind, indent, last);
    }
    if (!statementsOf(parts, Goes::before).empty()) {
      edits_.follow(whole.end, whole.end, indent, {"}"});
    }
  }

  const Graph& graph_;
  Diagnostics& diagnostics_;
  SourceText source_;
  ComponentGroups groups_;
  std::map<int, Parts> opened_;  ///< By control statement.
  CutEdits edits_;
};

}  // namespace

CutEdits openHeaders(const Graph& graph, Diagnostics& diagnostics) {
  return HeaderOpener(graph, diagnostics).open();
}

}  // namespace fdg::compiler
