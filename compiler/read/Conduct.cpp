#include "compiler/read/Conduct.h"

#include "compiler/read/Entities.h"
#include "compiler/read/KnownNames.h"
#include "compiler/read/Types.h"

namespace fdg::compiler {
namespace {

using llvm::StringRef;

std::string plainName(const clang::FunctionDecl* function) { return function->getNameAsString(); }

/// Whether what a function that makes views returns can be one.
bool returnsHandle(const clang::FunctionDecl* function) {
  const clang::QualType type = function->getReturnType();
  return !type->isVoidType() && !type->isArithmeticType() && !type->isEnumeralType();
}

/// Of a tensor function: a pointer or accessor into the storage.
bool returnsPlaces(const clang::FunctionDecl* function) {
  const clang::QualType type = function->getReturnType();
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return type->isPointerType() || (record != nullptr && record->getIdentifier() != nullptr &&
                                   record->getName().contains("Accessor"));
}

/// Most of them are const, though what they change is behind the handle.
bool ofTensor(const clang::CXXMethodDecl* method) {
  return method != nullptr && !method->isStatic() &&
         (isTensor(method->getFunctionObjectParameterType()) ||
          isNamed(method->getParent(), "at::TensorBase"));
}

Conduct conductOfTensorFunction(const clang::FunctionDecl* function) {
  const std::string name = plainName(function);
  if (known::drawsTensor(name)) {
    return Conduct::random;
  }
  const StringRef ref(name);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const bool compound = ref.starts_with("operator") && ref.ends_with("=") && ref != "operator==" &&
                        ref != "operator!=" && ref != "operator<=" && ref != "operator>=";
  const bool changes = ofTensor(method) &&
                       (ref.starts_with("set_") || ref.starts_with("register_") ||
                        function->getReturnType()->isVoidType());
  if ((ref.ends_with("_") && !ref.ends_with("__")) || ref.ends_with("_out") ||
      ref.ends_with("_outf") || (compound && ref != "operator=") || ref == "backward" || changes) {
    return Conduct::in_place;
  }
  if (ref.starts_with("set_") || ref == "init_num_threads" || actsOutside(function)) {
    return Conduct::unknown;
  }
  if (method != nullptr && !method->isConst() && !method->isStatic() &&
      !isTensor(method->getFunctionObjectParameterType())) {
    return Conduct::writes;
  }
  const bool view = known::makesView(name) && returnsHandle(function);
  return view || returnsPlaces(function) ? Conduct::pure : Conduct::fresh;
}

/// An object of that class calls what it was made with.
bool keepsFunction(const clang::CXXRecordDecl* record) {
  const StringRef name = record->getIdentifier() != nullptr ? record->getName() : StringRef();
  return name == "function" || name == "move_only_function" || name == "reference_wrapper" ||
         name.starts_with("_Bind") || name.starts_with("_Mem_fn") || name.starts_with("_Not_fn");
}

Conduct conductOfStandard(const clang::FunctionDecl* function) {
  const std::string name = plainName(function);
  if (name == "rand" || name == "srand" || name == "shuffle" || name == "random_shuffle" ||
      name == "sample" || name == "generate_canonical") {
    return Conduct::random;
  }
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
    if (name == "now" ||
        isRandomEngine(function->getASTContext().getTypeDeclType(method->getParent()))) {
      return name == "now" ? Conduct::unknown : Conduct::random;
    }
    if (name == "operator()" && keepsFunction(method->getParent())) {
      return Conduct::unknown;
    }
    if (isStandardAlgorithmObject(function)) {
      return known::onlyReads(algorithmName(function)) ? Conduct::pure : Conduct::writes;
    }
    if (known::givesPlace(name)) {
      const bool inserts =
          name == "operator[]" && (isNamed(method->getParent(), "std::map") ||
                                   isNamed(method->getParent(), "std::unordered_map"));
      return inserts ? Conduct::writes : Conduct::accessor;
    }
    return method->isStatic() || method->isConst() || llvm::isa<clang::CXXConstructorDecl>(method)
               ? Conduct::pure
               : Conduct::writes;
  }
  if (known::isImpure(name)) {
    return Conduct::unknown;
  }
  if (known::givesPlace(name)) {
    return Conduct::accessor;
  }
  if (known::onlyReads(name) || function->isOverloadedOperator()) {
    const bool stream = name == "operator<<" || name == "operator>>";
    return stream ? Conduct::unknown : Conduct::pure;
  }
  return Conduct::writes;
}

}  // namespace

bool drawsWeights(const clang::CXXConstructorDecl* constructor) {
  const clang::CXXRecordDecl* made = constructor->getParent();
  const clang::QualType first = constructor->getNumParams() > 0
                                    ? constructor->getParamDecl(0)->getType().getNonReferenceType()
                                    : clang::QualType();
  const auto* record = first.isNull() ? nullptr : first->getAsCXXRecordDecl();
  const bool takes_module = record != nullptr && record->getIdentifier() != nullptr &&
                            (record == made || record->getName() == "ModuleHolder" ||
                             record->getName() == "shared_ptr");
  const bool empty = takes_module || (!first.isNull() && first->isNullPtrType());
  return qualifiedName(made).starts_with("torch::nn::") && made->getIdentifier() != nullptr &&
         !constructor->isCopyOrMoveConstructor() && !empty &&
         known::drawsWeights(made->getName());
}

bool actsOutside(const clang::FunctionDecl* function) {
  if (!inNamespace(function, "torch") && !inNamespace(function, "at")) {
    return false;
  }
  const std::string name = plainName(function);
  return name == "save" || name == "load" || name == "print" || name == "synchronize";
}

bool isStandardAlgorithmObject(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  return method != nullptr && method->getOverloadedOperator() == clang::OO_Call &&
         inNamespace(method, "std") && method->getParent()->getIdentifier() != nullptr &&
         method->getParent()->getName().ends_with("_fn");
}

std::string algorithmName(const clang::FunctionDecl* function) {
  if (!isStandardAlgorithmObject(function)) {
    return plainName(function);
  }
  const std::string object =
      llvm::cast<clang::CXXMethodDecl>(function)->getParent()->getNameAsString();  // __sort_fn
  const StringRef bare = StringRef(object).drop_while([](char c) { return c == '_'; });
  return bare.substr(0, bare.rfind("_fn")).str();
}

bool isStandardCaller(const clang::FunctionDecl* function) {
  return isNamed(function, "std::invoke") || isNamed(function, "std::apply") ||
         isNamed(function, "std::visit");
}

Conduct conductOf(const clang::FunctionDecl* function) {
  if (function == nullptr) {
    return Conduct::unknown;
  }
  const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
  for (const clang::FunctionDecl* decl : {function, pattern}) {
    if (mark(decl, "fdg::fresh") && mark(decl, "fdg::pure")) {
      return Conduct::fresh;
    }
    if (mark(decl, "fdg::pure")) {
      return Conduct::pure;
    }
  }
  if (inNamespace(function, "at") || inNamespace(function, "torch") ||
      inNamespace(function, "c10")) {
    return conductOfTensorFunction(function);
  }
  if (inNamespace(function, "std") || inNamespace(function, "__gnu_cxx")) {
    return conductOfStandard(function);
  }
  const std::string name = plainName(function);
  if (function->getBuiltinID() != 0 || StringRef(name).starts_with("__builtin_")) {
    if (name == "rand" || name == "printf") {
      return Conduct::unknown;
    }
  }
  if (name == "rand" || name == "srand" || name == "drand48" || name == "random") {
    return function->isExternC() ? Conduct::random : Conduct::unknown;
  }
  if (function->isExternC()) {
    return known::isMath(name) ? Conduct::fresh : Conduct::unknown;
  }
  const bool writes = llvm::any_of(function->parameters(), [](const clang::ParmVarDecl* parameter) {
    return givesWriteAccess(parameter->getType());
  });
  if (isNamed(function, "fdg::weighted") || (function->isConstexpr() && !writes)) {
    return Conduct::pure;
  }
  return Conduct::unknown;
}

bool takesForWriting(const clang::FunctionDecl* function, unsigned parameter) {
  if (function == nullptr || parameter >= function->getNumParams()) {
    return false;
  }
  const clang::QualType type = function->getParamDecl(parameter)->getType();
  if (!type->isLValueReferenceType() || !givesWriteAccess(type)) {
    return false;
  }
  const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
  if (pattern == nullptr || isStandardAlgorithmObject(function) || isStandardCaller(function)) {
    return true;
  }
  return parameter < pattern->getNumParams() &&
         pattern->getParamDecl(parameter)->getType()->isLValueReferenceType();
}

}  // namespace fdg::compiler
