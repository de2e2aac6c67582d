// What fdgc knows of declarations by name or mark: FDG's own entities, tensors, marks, random
// engines.
//
// Everything is recognised by qualified name, so that a stub library without torch works the same.
// Nothing here looks into bodies. Pure functions; cost: a string per call.
#pragma once

#include <optional>
#include <string>

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/StringRef.h"

namespace fdg::compiler {

/// The text behind a mark: mark(class, "fdg::role=") is "buffer"; mark(function, "fdg::pure") is
/// "".
std::optional<std::string> mark(const clang::Decl* decl, llvm::StringRef prefix);

/// "fdg::partition": without inline namespaces.
std::string qualifiedName(const clang::NamedDecl* decl);
bool isNamed(const clang::NamedDecl* decl, llvm::StringRef qualified_name);
/// In the namespace (or nested in it): inNamespace(decl, "std").
bool inNamespace(const clang::Decl* decl, llvm::StringRef outermost);

/// at::Tensor, under any alias, without references.
bool isTensor(clang::QualType type);
bool isRun(clang::QualType type);
bool isStream(clang::QualType type);

/// The class says `static constexpr bool thread_safe = true`; what it derives from does not count.
bool isThreadSafe(clang::QualType type);

/// A lambda or std::function.
bool isFunctionObject(clang::QualType type);
/// std::cout and its like.
bool isStandardStream(clang::QualType type);
/// A random engine, device or torch generator.
bool isRandomEngine(clang::QualType type);
/// An object that acts on the rest of its block by being alive: torch::NoGradGuard.
bool isScopeGuard(clang::QualType type);
/// The guard that an object holds: `std::optional<torch::NoGradGuard>`, a struct with one; null: none.
const clang::CXXRecordDecl* guardIn(clang::QualType type, int depth = 0);

}  // namespace fdg::compiler
