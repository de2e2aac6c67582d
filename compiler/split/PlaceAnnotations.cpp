#include "compiler/split/PlaceAnnotations.h"

#include <algorithm>

#include "clang/AST/StmtCXX.h"
#include "compiler/read/CannotCross.h"
#include "compiler/read/Types.h"
#include "compiler/split/Accumulations.h"
#include "compiler/split/ChooseOperation.h"
#include "compiler/split/ComponentCalls.h"
#include "compiler/split/HeaderParts.h"
#include "compiler/split/RowCounts.h"

namespace fdg::compiler {
namespace {

using Object = ComponentGroups::Object;

/// Where an annotation of a definition may stand.
struct Spot {
  bool behind = false;                       ///< Behind the statement that makes it.
  const clang::CompoundStmt* top = nullptr;  ///< At the top of this block.
  std::string why_not;
};

class Annotations {
 public:
  Annotations(const Graph& graph, Diagnostics& diagnostics)
      : graph_(graph), diagnostics_(diagnostics), source_(*graph.program.context), groups_(graph) {}

  CutEdits place() {
    joinInseparable();
    const std::vector<Crossing> crossings = crossingsOf();
    const OperationChooser chooser(graph_, groups_, crossings);
    std::map<int, std::vector<const Crossing*>> by_node;
    for (const Crossing& crossing : crossings) {
      by_node[placeOf(crossing.definition)].push_back(&crossing);
    }
    for (const auto& [n, made] : by_node) {
      annotate(n, made, chooser);
    }
    remarkGoingBack(crossings, chooser);
    if (groups_.count() < 2 && graph_.program.annotations.empty()) {
      diagnostics_.report(graph_.program.entry->getLocation(), groups_.objects().size() < 2
                                                                   ? Message::nothing_to_cut
                                                                   : Message::cannot_be_cut);
    }
    return std::move(edits_);
  }

 private:
  /// What is to be annotated and can be: nothing has to be where only replicas settle it.
  std::vector<Crossing> crossingsOf() const {
    std::vector<Crossing> crossings = crossingsAndSettled(graph_, groups_);
    std::erase_if(crossings, [&](const Crossing& crossing) {
      return crossing.to.empty() && !spot(crossing.definition, &crossing).why_not.empty();
    });
    return crossings;
  }

  /// Whether replicas must settle it, and how, is not to be seen: sums add up, means do not.
  void remarkGoingBack(const std::vector<Crossing>& crossings, const OperationChooser& chooser) {
    std::set<int> annotated;
    for (const Crossing& crossing : crossings) {
      annotated.insert(crossing.definition);
    }
    for (int d = 0; d < static_cast<int>(graph_.data.definitions.size()); ++d) {
      if (annotated.count(d) == 0 && chooser.goesBack(d)) {
        const Definition& definition = graph_.definition(d);
        diagnostics_.report(graph_.nodes.place(definition.node), Message::may_need_reduction)
            << definition.variable->getNameAsString()
            << groups_.name(*groups_.of(definition.node).begin());
      }
    }
  }

  /// Components that meet in one statement, or between which a value goes that cannot cross, stay
  /// together.
  void joinInseparable() {
    for (int n = 0; n < graph_.nodes.size(); ++n) {
      for (Object group : groups_.of(n)) {
        groups_.join(*groups_.of(n).begin(), group);
      }
    }
    for (bool joined = true; joined;) {
      joined = false;
      for (const Crossing& crossing : findCrossings(graph_, groups_)) {
        const std::string why = whyNot(crossing);
        std::set<Object> together = crossing.to;
        together.insert(crossing.from);
        together.erase(nullptr);
        if (why.empty() || together.size() < 2) {
          continue;
        }
        const Definition& definition = graph_.definition(crossing.definition);
        diagnostics_.report(graph_.nodes.place(definition.node), Message::components_stay_together)
            << groups_.names(together)
            << "`" + definition.variable->getNameAsString() + "` cannot cross: " + why;
        for (Object object : together) {
          groups_.join(*together.begin(), object);
        }
        joined = true;
        break;
      }
    }
  }

  std::string whyNot(const Crossing& crossing) const {
    const clang::ValueDecl* value = graph_.definition(crossing.definition).variable;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(value);
    if (variable != nullptr && !variable->isLocalVarDecl()) {
      return "it is not a local variable of the training function";
    }
    if (variable != nullptr && variable->isStaticLocal()) {
      return "it is static";
    }
    const std::string spot_why = spot(crossing.definition, &crossing).why_not;
    const auto why = whyCannotCross(value);
    return !spot_why.empty() ? spot_why : why ? clauseOf(*why) : whyNoRows(crossing.definition);
  }

  /// What the components give would cross as rows, but is of several lengths.
  std::string whyNoRows(int d) const {
    const OperationChooser chooser(graph_, groups_, {});
    const Definition& definition = graph_.definition(d);
    const auto* call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(
        soleCall(graph_, groups_, definition.node));
    const bool whole = call != nullptr && graph_.program.context->hasSameUnqualifiedType(
                                              call->getType(), definition.variable->getType());
    const std::string why = whole && chooser.isShareAt(d) && !chooser.isGradient(d)
                                ? whyNotRows(call->getMethodDecl())
                                : "";
    return why.empty() ? ""
                       : why +
                             ", and rows that cross together are equally many; let one method "
                             "return the rows and another the rest";
  }

  /// The statement that makes it, or the loop that collects it.
  int placeOf(int d) const {
    const int loop = loopThatCollects(graph_, groups_, d);
    return loop >= 0 ? loop : graph_.definition(d).node;
  }

  /// Behind the statement, or, for a variable of a header, at the top of the blocks that use it.
  Spot spot(int d, const Crossing* crossing = nullptr) const {
    const Definition& definition = graph_.definition(d);
    const Node& node = graph_.nodes[definition.node];
    const clang::SourceLocation begin = node.stmt->getBeginLoc();
    Spot spot;
    if (begin.isMacroID()) {
      spot.why_not = "it is made by a macro, behind which no annotation can stand";
    } else if (!graph_.program.sources().isInMainFile(begin)) {
      spot.why_not = "it is made in another file";
    } else if (node.kind == NodeKind::statement && node.header < 0) {
      spot.behind = true;
    } else {
      const int control = node.header < 0 ? definition.node : node.header;
      spot.top = blockOf(control, d, crossing);
      if (spot.top == nullptr) {
        const std::string why = headerPart(graph_, definition.node).why_not;
        spot.why_not = why.empty() ? "a header makes it; make it in a statement of its own" : why;
      }
    }
    return spot;
  }

  /// The body of a range-for that holds all uses of what its header makes; null: there is none.
  const clang::CompoundStmt* blockOf(int control, int d, const Crossing* crossing) const {
    const clang::Stmt* stmt = graph_.nodes[control].stmt;
    const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(stmt);
    if (range == nullptr || range->getInit() != nullptr) {
      return nullptr;
    }
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(range->getBody());
    if (block == nullptr || block->getLBracLoc().isMacroID()) {
      return nullptr;
    }
    std::set<int> uses = crossing == nullptr ? std::set<int>() : crossing->users;
    for (const int e : graph_.data.out_of[static_cast<size_t>(d)]) {
      uses.insert(graph_.edge(e).node);
    }
    // The header keeps what it made itself.
    std::erase_if(uses,
                  [&](int use) { return use == control || graph_.nodes[use].header == control; });
    const bool inside =
        std::ranges::all_of(uses, [&](int use) { return graph_.nodes.isInside(use, control); });
    return inside && !uses.empty() ? block : nullptr;
  }

  void annotate(int n, const std::vector<const Crossing*>& made, const OperationChooser& chooser) {
    std::map<std::string, std::vector<const Crossing*>> by_call;
    std::vector<std::string> operations;
    for (const Crossing* crossing : made) {
      const std::string operation(operationName(chooser.choose(*crossing)));
      if (by_call[operation].empty()) {
        operations.push_back(operation);
      }
      by_call[operation].push_back(crossing);
    }
    for (const std::string& operation : operations) {
      std::string values;
      std::set<Object> to;
      std::set<std::string> named;
      for (const Crossing* crossing : by_call[operation]) {
        const std::string name =
            graph_.definition(crossing->definition).variable->getNameAsString();
        values += named.insert(name).second ? ", " + name : "";
        to.insert(crossing->to.begin(), crossing->to.end());
      }
      const std::string call = "fdg::partition(fdg::" + operation + values + ");";
      say(n, made.front()->from, to, call);
      insert(spot(by_call[operation].front()->definition, by_call[operation].front()), n, call);
    }
  }

  void say(int n, Object from, const std::set<Object>& to, const std::string& call) {
    const std::string source = from == nullptr ? "" : "from '" + groups_.name(from) + "' ";
    const std::string target = to.empty() ? "between replicas" : source + "to " + groups_.names(to);
    diagnostics_.report(graph_.nodes.place(n), Message::cut_inferred) << target << call;
  }

  void insert(const Spot& spot, int n, const std::string& call) {
    if (!spot.behind) {
      const unsigned offset = source_.offset(spot.top->getLBracLoc()) + 1;
      const std::string indent = source_.indentOf(offset) + "  ";
      edits_.follow(offset, source_.behindComment(offset), indent, {call});
      return;
    }
    const TextRange whole = source_.wholeStatement(graph_.nodes[n].stmt);
    const std::string indent = source_.indentOf(whole.begin);
    const bool alone = !llvm::isa_and_nonnull<clang::CompoundStmt>(graph_.nodes[n].block);
    if (alone) {
      edits_.lead(whole.begin, indent, {"{"});
      edits_.follow(whole.end, whole.end, indent, {call, "}"});
    } else {
      edits_.follow(whole.end, source_.behindComment(whole.end), indent, {call});
    }
  }

  const Graph& graph_;
  Diagnostics& diagnostics_;
  SourceText source_;
  ComponentGroups groups_;
  CutEdits edits_;
};

}  // namespace

CutEdits placeAnnotations(const Graph& graph, Diagnostics& diagnostics) {
  return Annotations(graph, diagnostics).place();
}

}  // namespace fdg::compiler
