#include "compiler/split/FindCarried.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "compiler/graph/Gradients.h"
#include "compiler/read/Entities.h"
#include "compiler/read/Savable.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

/// What a fragment does with a variable inside the loop.
struct Use {
  bool changes = false;
  bool assigned = false;         ///< All of it gets another value.
  bool changes_through = false;  ///< What it refers to, not the variable itself.
};

/// Whether a loop gives an owner something to hold.
class Fills final : public clang::RecursiveASTVisitor<Fills> {
 public:
  explicit Fills(const clang::ValueDecl* owner) : owner_(owner) {}
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
    found |= call->getOperator() == clang::OO_Equal && names(call->getArg(0));
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    const std::string name = method == nullptr ? "" : method->getNameAsString();
    found |= (name == "emplace" || (name == "reset" && call->getNumArgs() > 0)) &&
             names(call->getImplicitObjectArgument());
    return true;
  }
  bool found = false;

 private:
  bool names(const clang::Expr* e) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreUnlessSpelledInSource());
    return name != nullptr && name->getDecl() == owner_;
  }
  const clang::ValueDecl* owner_;
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
    optimizers_.clear();
    collectFromNodes(part, loop);
    collectFromBoundaries(part.info.id);
    refuseOptimizers(loop);
    const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(graph_.nodes[loop_].stmt);
    if (range != nullptr && !hasFixedLength(range)) {
      refuse(loop, "the loop at line " + std::to_string(loop.line) +
                       " goes over a range whose length is not known when it begins");
    }
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
        use.assigned = use.assigned || (access.how == Access::How::assign && !access.through);
        use.changes_through = use.changes_through || access.through;
      }
      for (const Touch& touch : effects.touches) {
        Use& use = uses_[touch.object];
        use.changes = use.changes || !touch.constant;
      }
      for (const auto& [touch, access] : optimizerWrites(effects)) {
        optimizers_.emplace_back(*touch, access->variable);
      }
      for (const auto& [global, place] : effects.globals) {
        refuse(loop, "`" + global->getNameAsString() + "`, used at line " +
                         std::to_string(graph_.program.line(place)) +
                         ", outlives the function, and a checkpoint keeps what is the function's");
      }
    }
  }

  /// A checkpoint gives values back to the tensors that the optimizer was made with.
  void refuseOptimizers(LoopInfo& loop) {
    for (const auto& [touch, variable] : optimizers_) {
      if (uses_[variable].assigned) {
        refuse(loop, "the optimizer `" + touch.object->getNameAsString() + "` writes `" +
                         variable->getNameAsString() + "` at line " +
                         std::to_string(graph_.program.line(touch.place)) +
                         ", which names another tensor as the loop goes on, and a checkpoint would "
                         "not know of the one that the optimizer has; change it in place");
      }
    }
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
  std::optional<std::string> whyNotCarried(const clang::ValueDecl* variable,
                                           const Use& use) const {
    const clang::QualType type = variable->getType();
    const auto* local = llvm::dyn_cast<clang::VarDecl>(variable);
    if (local != nullptr && local->isStaticLocal()) {
      return use.changes ? "it is static" : "";
    }
    if (type->isReferenceType() || isScopeGuard(type)) {
      return "";  // what it refers to is kept
    }
    if (type.isVolatileQualified()) {
      return use.changes ? "it is volatile" : "";
    }
    if (!use.changes && (type.isConstQualified() || ownsNothingElse(type, use))) {
      return "";
    }
    if (const auto made = whyNotMade(type); made && use.changes && isNullAtFirst(local)) {
      Fills fills(variable);
      fills.TraverseStmt(const_cast<clang::Stmt*>(graph_.nodes[loop_].stmt));
      if (fills.found) {
        return "it may be empty before the loop, and " + *made;
      }
    }
    const auto why = whyNotSavable(type);
    return why && !use.changes && !use.changes_through ? std::optional(std::string()) : why;
  }

  static bool isNullAtFirst(const clang::VarDecl* local) {
    const clang::Expr* init = local == nullptr ? nullptr : local->getInit();
    if (init == nullptr) {
      return true;
    }
    init = init->IgnoreUnlessSpelledInSource();
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(init);
    return isNull(init) ||
           (made != nullptr && (made->getNumArgs() == 0 || isNull(made->getArg(0))));
  }
  static bool isNull(const clang::Expr* given) {
    const auto* record = given->getType()->getAsCXXRecordDecl();
    return given->getType()->isNullPtrType() ||
           (record != nullptr && isNamed(record, "std::nullopt_t"));
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
  std::vector<std::pair<Touch, const clang::ValueDecl*>> optimizers_;
  std::map<const clang::ValueDecl*, Use> uses_;
};

}  // namespace

void findCarried(const Graph& graph, Split& split) { Finder(graph, split).find(); }

}  // namespace fdg::compiler
