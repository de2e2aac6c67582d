// The walk behind collectEffects: visits expressions and statements, adds what they do to Effects.
//
// Used for nodes of the training function, for lambdas where they are called, and for functions of
// the program's own files (parameters and a method's fields stand for what they hold there).
#pragma once

#include <set>

#include "compiler/graph/Effects.h"
#include "compiler/graph/Place.h"
#include "compiler/read/Entities.h"

namespace fdg::compiler {

struct Summary;
class Summaries;

class EffectWalk {
 public:
  /// `self` stands for the object when the body of a method is walked.
  EffectWalk(const clang::ASTContext& context, Summaries& summaries,
             const clang::CXXMethodDecl* self = nullptr)
      : context_(context), summaries_(summaries), self_(self) {}

  void findLent(const clang::Stmt* body);
  /// Adds what a statement does to `out`, nested statements included.
  void statement(const clang::Stmt* stmt, Effects& out);
  /// The same for a member initialiser of a constructor.
  void initialise(const clang::CXXCtorInitializer* initialiser, Effects& out);
  /// Adds what the header of a control statement does: condition, variable, range-for's variable.
  void condition(const clang::Stmt* control, Effects& out);
  const std::map<const clang::ValueDecl*, Place>& references() const { return references_; }
  /// References that may be bound to one of several places.
  const std::set<const clang::ValueDecl*>& unclear() const { return unclear_; }
  /// What `return` statements hand out.
  const Sources& returned() const { return returned_; }

 private:
  Sources visit(const clang::Expr* e);
  Sources visitBare(const clang::Expr* e, const clang::Expr* stripped);
  Sources visitOperator(const clang::BinaryOperator* e);
  Sources visitUnary(const clang::UnaryOperator* e);
  Sources visitChildren(const clang::Stmt* e);
  Sources visitDefault(const clang::Expr* e);
  Sources visitVariable(const clang::DeclRefExpr* e);
  Sources visitMember(const clang::MemberExpr* e);
  Sources visitLambda(const clang::LambdaExpr* e);
  Sources visitConstruct(const clang::CXXConstructExpr* e);
  Sources visitConditional(const clang::Expr* e);
  Sources visitCall(const clang::CallExpr* e);
  Sources callFunction(const clang::FunctionDecl* callee, const clang::Expr* call,
                       const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments);
  Sources callRun(const clang::CXXMemberCallExpr* e);
  Sources callComponent(const clang::CXXMethodDecl* method, const clang::Expr* call,
                        const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments);
  void meetOutside(const clang::FunctionDecl* callee, const clang::Expr* call,
                   llvm::ArrayRef<const clang::Expr*> arguments);
  void meetGradients(const clang::FunctionDecl* callee, const clang::Expr* call);
  void meetGlobal(const clang::VarDecl* variable, clang::SourceLocation place);
  void meetFunction(const clang::FunctionDecl* function);
  void meetDestructors(clang::QualType type, Death death);
  void meetTemporaries(const clang::Expr* e, const clang::Expr* bare);
  void addInner(const Effects& inner);
  void setInComponent(const Effects& inner);
  bool setsProcess(const clang::FunctionDecl* callee, const clang::Expr* call);
  void hold(const Summary& body, llvm::ArrayRef<const clang::Expr*> arguments);
  void holdFields(const clang::InitListExpr* list);
  void holdPassedOn(const clang::FunctionDecl* callee,
                    llvm::ArrayRef<const clang::Expr*> arguments);
  void hold(const clang::FieldDecl* field, const clang::Expr* argument);
  void holdInside(const Effects& inner, unsigned parameter, const clang::Expr* argument);
  Sources passedThrough(llvm::ArrayRef<const Summary*> bodies, bool anything,
                        llvm::ArrayRef<const clang::Expr*> arguments);
  void lambdaBody(const clang::Stmt* body);
  void shareWithCalled(const clang::CXXOperatorCallExpr* e);
  const clang::LambdaExpr* lambdaOf(const clang::Expr* e) const;
  static std::vector<const clang::FunctionDecl*> callOperators(const clang::LambdaExpr* lambda);
  std::vector<const clang::FunctionDecl*> bodiesOf(const clang::Expr* e) const;
  void passToLambdas(llvm::ArrayRef<const clang::Expr*> arguments, const Sources& sources);
  bool makesAnew(llvm::ArrayRef<const clang::Expr*> arguments);
  void passToOutputs(const clang::FunctionDecl* callee,
                     llvm::ArrayRef<const clang::Expr*> arguments, const Sources& sources);
  void applyTo(const Sources& network, llvm::ArrayRef<const clang::Expr*> arguments);
  void giveParameters(const Summary& body, llvm::ArrayRef<const clang::Expr*> arguments);
  bool keepsToWrite(const Summary& body, unsigned parameter) const;
  Sources callSummary(const Summary& summary, const clang::Expr* object,
                      llvm::ArrayRef<const clang::Expr*> arguments);
  Sources callUnknown(const clang::FunctionDecl* callee, const clang::Expr* call,
                      const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments);
  Sources callLambda(const clang::CXXOperatorCallExpr* e);
  Sources assign(const clang::Expr* target, const clang::Expr* value);
  bool isAssignment(const clang::CXXOperatorCallExpr* e) const;

  Place placeOf(const clang::Expr* e) const;
  void addNamed(const clang::Stmt* e, Sources& found) const;
  void write(const clang::Expr* target, const Sources& sources);
  void update(const clang::Expr* object, const Sources& sources, clang::SourceLocation where);
  void writeEach(const Sources& variables, const clang::Expr* target);
  void writeUnclear(const clang::Expr* target);
  bool isSeen(const clang::ValueDecl* variable) const;
  void writeHandles(const Sources& sources, clang::SourceLocation place);
  void writeStorage(const Sources& sources, clang::SourceLocation place);
  void writeBehind(const clang::Expr* argument, const Sources& sources);
  void dropOwn(const clang::CXXMethodDecl& method, size_t first);
  void bindParameters(const clang::CXXMethodDecl* method, const clang::CXXOperatorCallExpr* call);
  void writeArgument(const clang::Expr* argument, const clang::ParmVarDecl* parameter,
                     const Sources& sources);

  void declare(const clang::VarDecl* variable);
  void declareStatic(const clang::VarDecl& variable, Effects& out);
  void declareBindings(const clang::DecompositionDecl* decomposition, const Sources& sources);
  void declareLoopVariable(const clang::CXXForRangeStmt* loop);
  void bindReference(const clang::ValueDecl* variable, const clang::Expr* target);
  void bindUnclear(const clang::ValueDecl* variable, const clang::Expr* target);

  void access(const clang::ValueDecl* variable, const clang::FieldDecl* field, Access::How how,
              clang::SourceLocation place);
  void touch(const clang::ValueDecl* object, clang::SourceLocation place, bool constant);
  void share(const clang::ValueDecl* target, const Sources& sources);
  void shareAt(const Place& place, const Sources& sources);
  Sources kept(const Sources& sources, clang::QualType type) const;
  Sources withNamed(Sources sources, const clang::Expr* e) const;
  Sources made(const Sources& sources, const clang::Expr* e) const;
  const clang::ValueDecl* captured(const clang::ValueDecl* variable) const;

  const clang::ASTContext& context_;
  Summaries& summaries_;
  const clang::CXXMethodDecl* self_ = nullptr;
  Effects* out_ = nullptr;
  std::map<const clang::ValueDecl*, Place> references_;
  std::set<const clang::ValueDecl*> unclear_;
  std::set<const clang::ValueDecl*> lent_;     // variables that tensors are made over
  std::set<const clang::VarDecl*> made_once_;  // statics that one fragment makes
  std::map<const clang::ValueDecl*, const clang::LambdaExpr*> lambdas_;
  /// What the lambda whose body is being visited has captured by copy; that lambda's variable.
  std::map<const clang::ValueDecl*, const clang::ValueDecl*> copies_;
  std::set<const clang::LambdaExpr*> active_;
  Sources returned_;
  std::map<const clang::Expr*, Sources> seen_;  ///< What this body's expressions gave.
  int conditional_ = 0;                         ///< > 0: what is visited may not run.
  bool constant_touch_ = false;
  const clang::Expr* latest_ = nullptr;
};

}  // namespace fdg::compiler
