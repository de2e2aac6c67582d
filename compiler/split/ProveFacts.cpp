#include "compiler/split/ProveFacts.h"

#include <algorithm>
#include <numeric>

#include "clang/AST/DeclTemplate.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Types.h"
#include "compiler/split/Calling.h"
#include "compiler/split/Draining.h"

namespace fdg::compiler {
namespace {

class Prover {
 public:
  Prover(const Graph& graph, const Assignment& assignment, const Layouts& layouts, Split& split)
      : graph_(graph), assignment_(assignment), layouts_(layouts), split_(split) {}

  void prove() {
    std::map<int, DrainBlocks> blocks;
    for (Boundary& boundary : split_.boundaries) {
      if (boundary.info.implicit) {
        const std::string why = "it is the outcome of a condition";
        boundary.info.drainable = {false, why};
        boundary.info.newest_able = {false, why};
        boundary.info.callable = {false, why};
        continue;
      }
      DrainBlocks& found = blocks[boundary.info.id] =
          findDrainBlocks(graph_, assignment_, split_, boundary);
      boundary.info.drainable = {found.refusal.empty(), found.refusal};
      const std::string uncallable = whyNotCallable(graph_, assignment_, boundary, found);
      boundary.info.callable = {uncallable.empty(), uncallable};
      for (const auto& [consumer, nodes] :
           found.refusal.empty() ? found.of : decltype(found.of)()) {
        for (const int n : nodes) {
          boundary.drain_block[consumer].push_back(graph_.nodes[n].stmt);
        }
      }
      const std::string why = whyNotNewest(boundary);
      boundary.info.newest_able = {why.empty(), why};
      boundary.info.held = isHeld(boundary);
    }
    for (Boundary& boundary : split_.boundaries) {
      if (boundary.info.implicit) {
        boundary.info.only_for_drain = onlyForDrain(boundary, blocks);
      }
    }
    for (FragmentPart& fragment : split_.fragments) {
      proveFragment(fragment);
    }
    findRateClasses();
  }

 private:
  bool kept(int fragment, int n) const {
    return split_.fragments[static_cast<size_t>(fragment)].keeps.count(graph_.nodes[n].stmt) > 0;
  }
  std::string at(int n) const {
    const clang::Expr* condition = conditionOf(graph_.nodes[n].stmt);
    return "`" + graph_.program.text(condition != nullptr ? condition : graph_.nodes[n].stmt, 48) +
           "` at line " + std::to_string(graph_.line(n));
  }
  std::string conditionAt(int n) const {
    const clang::Expr* condition = conditionOf(graph_.nodes[n].stmt);
    return "`" +
           (condition != nullptr ? graph_.program.text(condition, 48) : std::string("for (;;)")) +
           "` at line " + std::to_string(graph_.line(n));
  }

  std::string whyNotNewest(const Boundary& boundary) const {
    if (!boundary.info.loose) {
      return boundary.info.drainable.reason;
    }
    if (boundary.info.operation != OperationKind::broadcast) {
      return std::string(operationName(boundary.info.operation)) +
             " carries rows or terms, and skipping a message would lose them; only a broadcast can "
             "be newest";
    }
    for (const int d : definitionsOf(graph_, assignment_, boundary)) {
      for (const int e : graph_.data.out_of[static_cast<size_t>(d)]) {
        const Edge& edge = graph_.edge(e);
        const bool consumes =
            std::any_of(boundary.info.consumers.begin(), boundary.info.consumers.end(),
                        [&](int f) { return kept(f, edge.node); });
        const bool by_producer =
            assignment_.fragment[static_cast<size_t>(edge.node)] == boundary.info.producer;
        if (consumes && !by_producer && !edge.latest) {
          return at(edge.node) + " uses `" + graph_.definition(d).variable->getNameAsString() +
                 "` otherwise than as an argument marked FDG_LATEST, so skipping a message could "
                 "lose something";
        }
      }
    }
    return "";
  }

  /// A received value, or what shares its storage, may be used after the next one came.
  bool isHeld(const Boundary& boundary) const {
    const int loop = graph_.nodes[graph_.nodes.of(boundary.place)].loop;
    if (loop < 0) {
      return true;
    }
    const std::set<int> message = definitionsOf(graph_, assignment_, boundary);
    for (size_t d = 0; d < graph_.data.definitions.size(); ++d) {
      const auto& roots = graph_.data.roots[d];
      const bool shares =
          std::any_of(message.begin(), message.end(), [&](int m) { return roots.count(m) > 0; });
      if (shares && !graph_.nodes.isInside(
                        declaration(graph_.definition(static_cast<int>(d)).variable), loop)) {
        return true;
      }
      if (shares && leaves(static_cast<int>(d))) {
        return true;
      }
    }
    return false;
  }

  /// Kept by a variable that outlives the function.
  bool leaves(int d) const {
    return sharesState(graph_.definition(d).variable->getType()) &&
           llvm::any_of(graph_.data.out_of[static_cast<size_t>(d)],
                        [&](int e) { return !graph_.at(graph_.edge(e).node).globals.empty(); });
  }

  /// The node that declares a variable; -1: a parameter.
  int declaration(const clang::ValueDecl* variable) const {
    int first = -1;
    for (const Definition& definition : graph_.data.definitions) {
      if (definition.variable == variable && !definition.annotation &&
          (first < 0 || definition.node < first)) {
        first = definition.node;
      }
    }
    return first;
  }

  /// The drainable boundary that is all a choice leads to; -1: none.
  int onlyForDrain(const Boundary& choice, const std::map<int, DrainBlocks>& blocks) const {
    const int condition = graph_.nodes.of(choice.place);
    if (graph_.nodes[condition].loop < 0) {
      return -1;  // drain blocks are registered in front of the outermost loop, and run inside it
    }
    for (const auto& [id, block] : blocks) {
      const Boundary& drained = split_.boundaries[static_cast<size_t>(id)];
      const int place = graph_.nodes.of(drained.place);
      if (!block.refusal.empty() || !graph_.nodes.isInside(place, condition)) {
        continue;
      }
      const bool only =
          std::all_of(choice.info.consumers.begin(), choice.info.consumers.end(), [&](int f) {
            return block.covered.count(f) > 0 &&
                   holdsOnly(f, condition, place, block.covered.at(f));
          });
      if (only) {
        return id;
      }
    }
    return -1;
  }

  bool holdsOnly(int fragment, int condition, int place, const std::set<int>& covered) const {
    for (int n = condition + 1; n <= graph_.nodes[condition].last; ++n) {
      const bool copied_header =
          assignment_.isCopied(n) &&
          (graph_.nodes[n].kind == NodeKind::condition || graph_.nodes[n].header >= 0);
      const bool told = graph_.nodes[n].kind == NodeKind::condition &&
                        assignment_.fragment[static_cast<size_t>(n)] >= 0 &&
                        assignment_.fragment[static_cast<size_t>(n)] != fragment;
      if (kept(fragment, n) && n != place && covered.count(n) == 0 && !copied_header && !told) {
        return false;
      }
    }
    return true;
  }

  void proveFragment(FragmentPart& fragment) {
    const int f = fragment.info.id;
    fragment.info.replicable = {true, ""};
    fragment.info.fusable = {true, ""};
    // First what differs by itself: it names the culprit.
    for (const auto* layout : {&layouts_.computed, &layouts_.of_node}) {
      for (int n = 0; n < graph_.nodes.size() && fragment.info.replicable.holds; ++n) {
        const bool whole = (*layout)[static_cast<size_t>(n)] == Layout::whole;
        const std::string why = kept(f, n) && !whole ? whyNotReplicable(f, n) : "";
        fragment.info.replicable = {why.empty(), why};
      }
    }
    for (int n = 0; n < graph_.nodes.size() && fragment.info.fusable.holds; ++n) {
      if (kept(f, n) && graph_.at(n).reads_position) {
        fragment.info.fusable = {
            false, at(n) + " reads where its rows lie, which differs between replicas"};
      }
    }
    for (const Component& component : assignment_.components) {
      if (component.fragment != f) {
        continue;
      }
      const std::string name = "`" + component.variable->getNameAsString() + "` ";
      const clang::QualType type = component.variable->getType();
      if (const auto reason = marked("fdg::approximate=", type)) {
        fragment.info.approximate = true;
        fragment.info.approximate_reason = name + *reason;
      }
      const auto reason = marked("fdg::single=", type);
      if (reason && fragment.info.replicable.holds) {
        fragment.info.replicable = {false, name + *reason};
      }
    }
    for (int n = 0; n < graph_.nodes.size() && !fragment.info.approximate; ++n) {
      if (assignment_.fragment[static_cast<size_t>(n)] == f && !graph_.at(n).globals.empty()) {
        fragment.info.approximate = true;
        fragment.info.approximate_reason =
            at(n) + " uses `" + graph_.at(n).globals.front().first->getNameAsString() +
            "`, which outlives the training function, so replicas in one process share it";
      }
    }
  }

  /// The reason that such a mark gives: of the class itself, its bases and fields, and what a
  /// container holds.
  static std::optional<std::string> marked(const char* text, clang::QualType type) {
    std::set<const clang::Decl*> seen;
    return marked(text, type, seen);
  }

  static std::optional<std::string> marked(const char* text, clang::QualType type,
                                           std::set<const clang::Decl*>& seen) {
    const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition() ||
        !seen.insert(record->getDefinition()).second) {
      return std::nullopt;
    }
    if (const auto reason = mark(record, text)) {
      return reason;
    }
    if (const auto* list = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
        list != nullptr && inNamespace(list, "std")) {
      return markedIn(text, list->getTemplateArgs().asArray(), seen);
    }
    if (!isComponent(type)) {
      return std::nullopt;
    }
    for (const clang::CXXBaseSpecifier& base : record->getDefinition()->bases()) {
      if (const auto reason = marked(text, base.getType(), seen)) {
        return reason;
      }
    }
    for (const clang::FieldDecl* field : record->getDefinition()->fields()) {
      const auto reason = marked(text, field->getType(), seen);
      if (reason) {
        return "holds `" + field->getNameAsString() + "`, which " + *reason;
      }
    }
    return std::nullopt;
  }

  static std::optional<std::string> markedIn(const char* text,
                                             llvm::ArrayRef<clang::TemplateArgument> arguments,
                                             std::set<const clang::Decl*>& seen) {
    for (const clang::TemplateArgument& argument : arguments) {
      std::optional<std::string> reason;
      if (argument.getKind() == clang::TemplateArgument::Type) {
        reason = marked(text, argument.getAsType(), seen);
      } else if (argument.getKind() == clang::TemplateArgument::Pack) {
        reason = markedIn(text, argument.getPackAsArray(), seen);
      }
      if (reason) {
        return reason;
      }
    }
    return std::nullopt;
  }

  /// A condition on which replicas could disagree although a boundary or another fragment depends
  /// on it.
  std::string whyNotReplicable(int fragment, int n) const {
    if (graph_.nodes[n].kind != NodeKind::condition ||
        (!assignment_.isCopied(n) && assignment_.fragment[static_cast<size_t>(n)] != fragment)) {
      return "";
    }
    for (const Boundary& boundary : split_.boundaries) {
      const int place = graph_.nodes.of(boundary.place);
      const bool takes_part =
          boundary.info.producer == fragment ||
          std::count(boundary.info.consumers.begin(), boundary.info.consumers.end(), fragment) > 0;
      if (takes_part && boundary.info.implicit && place == n) {
        return "replicas could disagree on " + conditionAt(n) +
               ", and other fragments follow it; reduce what it reads first (reduce_any, "
               "reduce_all, reduce_max)";
      }
      if (takes_part && decides(n, place, fragment)) {
        return "replicas could disagree on " + conditionAt(n) +
               ", which decides about the boundary `" + boundary.info.name + "` at line " +
               std::to_string(boundary.info.line) +
               "; reduce what it reads first (reduce_any, reduce_all, reduce_max)";
      }
    }
    return "";
  }

  bool decides(int condition, int place, int fragment) const {
    if (graph_.nodes.isInside(place, condition)) {
      return true;
    }
    for (int n = condition + 1; n <= graph_.nodes[condition].last; ++n) {
      if (graph_.nodes[n].kind == NodeKind::jump && kept(fragment, n) &&
          graph_.control.governs(n, place)) {
        return true;
      }
    }
    return false;
  }

  bool canLoosen(const Boundary& boundary) const {
    return boundary.info.loose &&
           (boundary.info.drainable.holds || boundary.info.newest_able.holds);
  }

  void findRateClasses() {
    std::vector<int> leader(split_.fragments.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int f) {
      while (leader[static_cast<size_t>(f)] != f) {
        f = leader[static_cast<size_t>(f)];
      }
      return f;
    };
    for (const Boundary& boundary : split_.boundaries) {
      if (canLoosen(boundary) || boundary.info.only_for_drain >= 0) {
        continue;
      }
      for (const int consumer : boundary.info.consumers) {
        const int a = find(boundary.info.producer), b = find(consumer);
        leader[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
      }
    }
    for (int f = 0; f < static_cast<int>(leader.size()); ++f) {
      if (find(f) != f) {
        continue;
      }
      RateClass rate_class;
      for (int g = 0; g < static_cast<int>(leader.size()); ++g) {
        if (find(g) == f) {
          rate_class.fragments.push_back(g);
        }
      }
      for (const Boundary& boundary : split_.boundaries) {
        std::vector<int> ends = boundary.info.consumers;
        ends.push_back(boundary.info.producer);
        const auto inside =
            std::count_if(ends.begin(), ends.end(), [&](int g) { return find(g) == f; });
        if (canLoosen(boundary) && inside > 0 && inside < static_cast<long>(ends.size())) {
          rate_class.loosen.push_back(boundary.info.name);
        }
      }
      split_.rate_classes.push_back(std::move(rate_class));
    }
  }

  const Graph& graph_;
  const Assignment& assignment_;
  const Layouts& layouts_;
  Split& split_;
};

}  // namespace

void proveFacts(const Graph& graph, const Assignment& assignment, const Layouts& layouts,
                Split& split) {
  Prover(graph, assignment, layouts, split).prove();
}

}  // namespace fdg::compiler
