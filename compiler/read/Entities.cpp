#include "compiler/read/Entities.h"

#include "clang/AST/Attr.h"
#include "compiler/read/Types.h"
#include "llvm/ADT/StringSet.h"

namespace fdg::compiler {
namespace {

using llvm::StringRef;

// Tensor functions whose result may share storage with an argument (LibTorch 2.x).
const llvm::StringSet<>& views() {
  static const llvm::StringSet<> names = {"view",
                                          "view_as",
                                          "reshape",
                                          "reshape_as",
                                          "expand",
                                          "expand_as",
                                          "narrow",
                                          "select",
                                          "slice",
                                          "squeeze",
                                          "unsqueeze",
                                          "transpose",
                                          "swapaxes",
                                          "swapdims",
                                          "t",
                                          "T",
                                          "mT",
                                          "H",
                                          "mH",
                                          "permute",
                                          "movedim",
                                          "moveaxis",
                                          "diagonal",
                                          "unfold",
                                          "unbind",
                                          "split",
                                          "split_with_sizes",
                                          "tensor_split",
                                          "hsplit",
                                          "vsplit",
                                          "dsplit",
                                          "chunk",
                                          "detach",
                                          "alias",
                                          "real",
                                          "imag",
                                          "view_as_real",
                                          "view_as_complex",
                                          "flatten",
                                          "unflatten",
                                          "ravel",
                                          "contiguous",
                                          "to",
                                          "toType",
                                          "type",
                                          "cpu",
                                          "cuda",
                                          "index",
                                          "operator[]",
                                          "broadcast_to",
                                          "broadcast_tensors",
                                          "atleast_1d",
                                          "atleast_2d",
                                          "atleast_3d",
                                          "meshgrid",
                                          "requires_grad",
                                          "set_requires_grad",
                                          "data",
                                          "variable_data",
                                          "tensor_data",
                                          "as_strided",
                                          "adjoint",
                                          "positive",
                                          "resolve_conj",
                                          "resolve_neg",
                                          "conj",
                                          "grad",
                                          "mutable_grad",
                                          "data_ptr",
                                          "mutable_data_ptr",
                                          "const_data_ptr",
                                          "accessor",
                                          "packed_accessor32",
                                          "packed_accessor64",
                                          "from_blob",
                                          "type_as",
                                          "expand_as",
                                          "pin_memory",
                                          "values",
                                          "indices",
                                          "_values",
                                          "_indices",
                                          "toBackend",
                                          "unsafe_split",
                                          "unsafe_chunk",
                                          "storage",
                                          "square_view"};
  return names;
}

const llvm::StringSet<>& randomTensorFunctions() {
  static const llvm::StringSet<> names = {"rand",
                                          "randn",
                                          "randint",
                                          "randperm",
                                          "rand_like",
                                          "randn_like",
                                          "randint_like",
                                          "bernoulli",
                                          "multinomial",
                                          "normal",
                                          "poisson",
                                          "dropout",
                                          "alpha_dropout",
                                          "feature_dropout",
                                          "rrelu",
                                          "uniform_",
                                          "normal_",
                                          "random_",
                                          "bernoulli_",
                                          "exponential_",
                                          "geometric_",
                                          "cauchy_",
                                          "log_normal_",
                                          "dropout_",
                                          "manual_seed",
                                          "seed",
                                          "kaiming_uniform_",
                                          "kaiming_normal_",
                                          "xavier_uniform_",
                                          "xavier_normal_",
                                          "orthogonal_",
                                          "trunc_normal_"};
  return names;
}

const llvm::StringSet<>& accessors() {
  static const llvm::StringSet<> names = {"operator[]",
                                          "at",
                                          "front",
                                          "back",
                                          "begin",
                                          "end",
                                          "rbegin",
                                          "rend",
                                          "cbegin",
                                          "cend",
                                          "data",
                                          "value",
                                          "operator*",
                                          "operator->",
                                          "find",
                                          "get",
                                          "lower_bound",
                                          "upper_bound",
                                          "equal_range",
                                          "move",
                                          "forward",
                                          "as_const",
                                          "ref",
                                          "cref",
                                          "next",
                                          "prev",
                                          "top",
                                          "operator()",
                                          "addressof",
                                          "get_if",
                                          "static_pointer_cast",
                                          "dynamic_pointer_cast",
                                          "unwrap"};
  return names;
}

// Standard algorithms that only read through the iterators they get.
const llvm::StringSet<>& readers() {
  static const llvm::StringSet<> names = {"find_if",
                                          "find_if_not",
                                          "count",
                                          "count_if",
                                          "accumulate",
                                          "reduce",
                                          "max_element",
                                          "min_element",
                                          "minmax_element",
                                          "all_of",
                                          "any_of",
                                          "none_of",
                                          "equal",
                                          "inner_product",
                                          "transform_reduce",
                                          "distance",
                                          "size",
                                          "ssize",
                                          "empty",
                                          "is_sorted",
                                          "binary_search",
                                          "mismatch",
                                          "lexicographical_compare",
                                          "adjacent_find",
                                          "search",
                                          "min",
                                          "max",
                                          "minmax",
                                          "clamp",
                                          "tie"};
  return names;
}

const llvm::StringSet<>& impureStandard() {
  static const llvm::StringSet<> names = {"time",
                                          "clock",
                                          "now",
                                          "getenv",
                                          "system",
                                          "printf",
                                          "fprintf",
                                          "puts",
                                          "putchar",
                                          "fputs",
                                          "fopen",
                                          "fclose",
                                          "fwrite",
                                          "fread",
                                          "remove",
                                          "rename",
                                          "exit",
                                          "abort",
                                          "quick_exit",
                                          "atexit",
                                          "signal",
                                          "raise",
                                          "sleep_for",
                                          "sleep_until",
                                          "yield",
                                          "async",
                                          "getline",
                                          "flush",
                                          "endl",
                                          "call_once",
                                          "setlocale",
                                          "strtok",
                                          "create_directories",
                                          "create_directory",
                                          "current_path",
                                          "exists"};
  return names;
}

const llvm::StringSet<>& mathFunctions() {
  static const llvm::StringSet<> names = {
      "abs",       "labs",  "llabs",    "fabs",      "fabsf",   "exp",     "expf",    "exp2",
      "expm1",     "log",   "logf",     "log2",      "log10",   "log1p",   "pow",     "powf",
      "sqrt",      "sqrtf", "cbrt",     "hypot",     "sin",     "sinf",    "cos",     "cosf",
      "tan",       "tanf",  "asin",     "acos",      "atan",    "atan2",   "sinh",    "cosh",
      "tanh",      "tanhf", "asinh",    "acosh",     "atanh",   "erf",     "erfc",    "tgamma",
      "lgamma",    "ceil",  "floor",    "trunc",     "round",   "lround",  "llround", "rint",
      "nearbyint", "lrint", "fmod",     "remainder", "fmin",    "fmax",    "fma",     "copysign",
      "isnan",     "isinf", "isfinite", "ldexp",     "scalbn",  "strlen",  "strcmp",  "strncmp",
      "memcmp",    "atoi",  "atol",     "atof",      "isdigit", "isalpha", "isspace", "toupper",
      "tolower"};
  return names;
}

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

Conduct conductOfTensorFunction(const clang::FunctionDecl* function) {
  const std::string name = plainName(function);
  if (randomTensorFunctions().contains(name)) {
    return Conduct::random;
  }
  const StringRef ref(name);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const bool compound = ref.starts_with("operator") && ref.ends_with("=") && ref != "operator==" &&
                        ref != "operator!=" && ref != "operator<=" && ref != "operator>=";
  if ((ref.ends_with("_") && !ref.ends_with("__")) || ref.ends_with("_out") ||
      ref.ends_with("_outf") || (compound && ref != "operator=") || ref == "set_data" ||
      ref == "backward") {
    return Conduct::in_place;
  }
  if (ref.starts_with("set_") || ref == "init_num_threads") {
    return Conduct::unknown;
  }
  if (method != nullptr && !method->isConst() && !method->isStatic() &&
      !isTensor(method->getFunctionObjectParameterType())) {
    return Conduct::writes;
  }
  const bool view = views().contains(name) && returnsHandle(function);
  return view || returnsPlaces(function) ? Conduct::pure : Conduct::fresh;
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
    if (name == "operator()" && (isNamed(method->getParent(), "std::function") ||
                                 isNamed(method->getParent(), "std::move_only_function") ||
                                 isNamed(method->getParent(), "std::reference_wrapper"))) {
      return Conduct::unknown;
    }
    if (isStandardAlgorithmObject(function)) {
      const std::string algorithm = method->getParent()->getNameAsString();  // __sort_fn
      const StringRef bare = StringRef(algorithm).drop_while([](char c) { return c == '_'; });
      return readers().contains(bare.substr(0, bare.rfind("_fn"))) ? Conduct::pure
                                                                   : Conduct::writes;
    }
    if (accessors().contains(name)) {
      const bool inserts =
          name == "operator[]" && (isNamed(method->getParent(), "std::map") ||
                                   isNamed(method->getParent(), "std::unordered_map"));
      return inserts ? Conduct::writes : Conduct::accessor;
    }
    return method->isStatic() || method->isConst() || llvm::isa<clang::CXXConstructorDecl>(method)
               ? Conduct::pure
               : Conduct::writes;
  }
  if (impureStandard().contains(name)) {
    return Conduct::unknown;
  }
  if (accessors().contains(name)) {
    return Conduct::accessor;
  }
  if (readers().contains(name) || function->isOverloadedOperator()) {
    const bool stream = name == "operator<<" || name == "operator>>";
    return stream ? Conduct::unknown : Conduct::pure;
  }
  return Conduct::writes;
}

}  // namespace

bool isStandardAlgorithmObject(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  return method != nullptr && method->getOverloadedOperator() == clang::OO_Call &&
         inNamespace(method, "std") && method->getParent()->getIdentifier() != nullptr &&
         method->getParent()->getName().ends_with("_fn");
}

bool isStandardCaller(const clang::FunctionDecl* function) {
  return isNamed(function, "std::invoke") || isNamed(function, "std::apply") ||
         isNamed(function, "std::visit");
}

std::optional<std::string> mark(const clang::Decl* decl, StringRef prefix) {
  if (decl == nullptr) {
    return std::nullopt;
  }
  for (const clang::Decl* redecl : decl->redecls()) {
    for (const auto* attribute : redecl->specific_attrs<clang::AnnotateAttr>()) {
      const StringRef text = attribute->getAnnotation();
      if (text.starts_with(prefix)) {
        return text.drop_front(prefix.size()).str();
      }
    }
  }
  return std::nullopt;
}

std::string qualifiedName(const clang::NamedDecl* decl) {
  std::string name = decl->getNameAsString();
  for (const clang::DeclContext* context = decl->getDeclContext(); context != nullptr;
       context = context->getParent()) {
    const auto* outer = llvm::dyn_cast<clang::NamedDecl>(context);
    if (outer == nullptr || llvm::isa<clang::FunctionDecl>(context)) {
      continue;
    }
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(outer);
    if (space == nullptr || !(space->isInline() || space->isAnonymousNamespace())) {
      name = outer->getNameAsString() + "::" + name;
    }
  }
  return name;
}

bool isNamed(const clang::NamedDecl* decl, StringRef qualified_name) {
  return decl != nullptr && qualified_name.ends_with(decl->getNameAsString()) &&
         qualifiedName(decl) == qualified_name;
}

bool inNamespace(const clang::Decl* decl, StringRef outermost) {
  for (const clang::DeclContext* context = decl->getDeclContext(); context != nullptr;
       context = context->getParent()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
    if (space != nullptr && space->getName() == outermost &&
        space->getParent()->getRedeclContext()->isTranslationUnit()) {
      return true;
    }
  }
  return false;
}

bool isTensor(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->getIdentifier() != nullptr && record->getName() == "Tensor" &&
         (isNamed(record, "at::Tensor") || isNamed(record, "torch::Tensor"));
}

bool isRun(clang::QualType type) {
  return isNamed(type.getNonReferenceType()->getAsCXXRecordDecl(), "fdg::Run");
}

bool isStream(clang::QualType type) {
  return isNamed(type.getNonReferenceType()->getAsCXXRecordDecl(), "fdg::Stream");
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
    return mathFunctions().contains(name) ? Conduct::fresh : Conduct::unknown;
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

bool isRandomEngine(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr) {
    return false;
  }
  const StringRef name = record->getName();
  if (inNamespace(record, "std")) {
    return name.ends_with("_engine") || name == "random_device" || name.ends_with("_distribution");
  }
  return isNamed(record, "at::Generator") || isNamed(record, "torch::Generator");
}

bool isScopeGuard(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr) {
    return false;
  }
  const StringRef name = record->getName();
  return (inNamespace(record, "at") || inNamespace(record, "torch") ||
          inNamespace(record, "c10")) &&
         (name.ends_with("Guard") || name.ends_with("GradMode") || name == "InferenceMode");
}

}  // namespace fdg::compiler
