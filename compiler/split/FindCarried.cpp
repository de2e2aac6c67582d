#include "compiler/split/FindCarried.h"

#include <algorithm>

#include "compiler/graph/Gradients.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Savable.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

/// What a fragment does with a variable inside the loop.
struct Use {
  bool changes = false;
  bool changes_through = false;  ///< What it refers to, not the variable itself.
};

class Finder {
 public:
  Finder(const Graph& graph, Split& split) : graph_(graph), split_(split) {}

  void find() {
    for (LoopInfo& loop : split_.loops) {
      if (loop.parent >= 0 || !loop.has_boundary) {
        continue;
      }
      loop_ = loop.id;
      for (FragmentPart& part : split_.fragments) {
        if (part.keeps.contains(graph_.nodes[loop_].stmt)) {
          loop.fragments.push_back(part.info.id);
          findIn(part, loop);
        }
      }
    }
  }

 private:
  void findIn(FragmentPart& part, LoopInfo& loop) {
    uses_.clear();
    collectFromNodes(part, loop);
    collectFromBoundaries(part.info.id);
    auto& carried = part.carries[graph_.nodes[loop_].stmt];
    for (const auto& [variable, use] : uses_) {
      if (!isOutside(variable)) {
        continue;
      }
      const auto why = whyNotCarried(variable, use);
      if (!why) {
        carried.push_back(variable);
      } else if (!why->empty()) {
        refuse(loop, "`" + variable->getNameAsString() + "` (line " +
                         std::to_string(graph_.program.line(variable->getLocation())) +
                         ") changes in the loop at line " + std::to_string(loop.line) + ", and " +
                         *why);
      }
    }
    std::ranges::sort(carried, [&](const clang::ValueDecl* a, const clang::ValueDecl* b) {
      return graph_.program.sources().isBeforeInTranslationUnit(a->getLocation(),
                                                                b->getLocation());
    });
    std::vector<std::string>& names = loop.carries.emplace_back();
    for (const clang::ValueDecl* variable : carried) {
      names.push_back(variable->getNameAsString());
    }
  }

  void collectFromNodes(const FragmentPart& part, LoopInfo& loop) {
    for (int n = loop_; n <= graph_.nodes[loop_].last; ++n) {
      if (!part.keeps.contains(graph_.nodes[n].stmt) || asks(part.info.id, n)) {
        continue;
      }
      const Effects& effects = graph_.at(n);
      for (const Access& access : effects.accesses) {
        Use& use = uses_[access.variable];
        use.changes = use.changes || (access.how != Access::How::read && !access.through);
        use.changes_through = use.changes_through || access.through;
      }
      for (const Touch& touch : effects.touches) {
        Use& use = uses_[touch.object];
        use.changes = use.changes || !touch.constant;
      }
      for (const auto& [touch, access] : optimizerWrites(effects)) {
        refuseOptimizer(loop, *touch, *access);
      }
      for (const auto& [global, place] : effects.globals) {
        refuse(loop, "`" + global->getNameAsString() + "`, used at line " +
                         std::to_string(graph_.program.line(place)) +
                         ", outlives the function, and a checkpoint keeps what is the function's");
      }
    }
  }

  /// It would go on with the tensors that it was made with, not with those that come back.
  void refuseOptimizer(LoopInfo& loop, const Touch& touch, const Access& access) {
    refuse(loop, "the optimizer `" + touch.object->getNameAsString() + "` writes `" +
                     access.variable->getNameAsString() +
                     "`, a tensor of the training function, at line " +
                     std::to_string(graph_.program.line(touch.place)) +
                     ", and would go on with another than the one that a checkpoint gives back; a "
                     "torch module with its optimizer can be kept");
  }

  void collectFromBoundaries(int fragment) {
    for (const Boundary& boundary : split_.boundaries) {
      const bool consumes = std::ranges::count(boundary.info.consumers, fragment) > 0;
      if ((consumes || boundary.info.producer == fragment) &&
          graph_.nodes.isInside(graph_.nodes.of(boundary.place), loop_)) {
        for (const clang::ValueDecl* value : boundary.values) {
          Use& use = uses_[value];
          use.changes = use.changes || consumes || boundary.info.producer_needs_result;
        }
      }
    }
  }

  /// It is told the outcome instead of evaluating the condition.
  bool asks(int fragment, int n) const {
    return graph_.nodes[n].kind == NodeKind::condition &&
           std::ranges::any_of(split_.boundariesAt(graph_.nodes[n].stmt), [&](const Boundary* b) {
             return std::ranges::count(b->info.consumers, fragment) > 0;
           });
  }

  /// Lives when the body begins: declared in front of it, and not made anew by every iteration.
  bool isOutside(const clang::ValueDecl* variable) const {
    const auto* local = llvm::dyn_cast<clang::VarDecl>(variable);
    if (llvm::isa<clang::ParmVarDecl>(variable) || variable->getLocation().isInvalid() ||
        variable->getDeclContext() != graph_.program.entry ||
        (local != nullptr && local->isInitCapture())) {
      return false;  // a parameter, or a lambda's own
    }
    const clang::Stmt* loop = graph_.nodes[loop_].stmt;
    const auto* ranged = llvm::dyn_cast<clang::CXXForRangeStmt>(loop);
    return graph_.program.sources().isBeforeInTranslationUnit(
        variable->getLocation(),
        ranged != nullptr ? ranged->getForLoc() : bodyOf(loop)->getBeginLoc());
  }

  /// Nothing: it is carried. Empty: there is no need. Else why it cannot be.
  static std::optional<std::string> whyNotCarried(const clang::ValueDecl* variable,
                                                  const Use& use) {
    const clang::QualType type = variable->getType();
    const auto* local = llvm::dyn_cast<clang::VarDecl>(variable);
    if (local != nullptr && local->isStaticLocal()) {
      return use.changes ? "it is static" : "";
    }
    if (type->isReferenceType() || isScopeGuard(type)) {
      return "";  // what it refers to is kept
    }
    if (!use.changes && (type.isConstQualified() || ownsNothingElse(type, use))) {
      return "";
    }
    const auto why = whyNotSavable(type);
    return why && !use.changes && !use.changes_through ? std::optional(std::string()) : why;
  }

  /// Changes through it are changes of variables that are kept themselves.
  static bool ownsNothingElse(clang::QualType type, const Use& use) {
    const auto* record = type.getCanonicalType()->getAsCXXRecordDecl();
    const bool owns = record != nullptr && record->getIdentifier() != nullptr &&
                      (record->getName() == "shared_ptr" || record->getName() == "function" ||
                       record->getName() == "move_only_function" || record->isLambda());
    return kindOf(type) == TypeKind::view && !(owns && use.changes_through);
  }

  static void refuse(LoopInfo& loop, const std::string& why) {
    if (loop.resumable.holds) {
      loop.resumable = {false, why};
    }
  }

  const Graph& graph_;
  Split& split_;
  int loop_ = -1;
  std::map<const clang::ValueDecl*, Use> uses_;
};

}  // namespace

void findCarried(const Graph& graph, Split& split) { Finder(graph, split).find(); }

}  // namespace fdg::compiler
