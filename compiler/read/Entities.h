// What fdgc knows of declarations by name or mark: FDG's own entities, tensors, marks, purity of
// functions.
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

/// What a call may do, judged by the declaration alone.
enum class Conduct {
  pure,   ///< Depends on its arguments, writes nothing; may return a handle to what it was given.
  fresh,  ///< Pure, and what it returns shares nothing with its arguments.
  accessor,  ///< Returns a place inside its first argument or its object: std::get,
             ///< vector::operator[].
  writes,    ///< Writes its object or what it gets by non-const reference, iterator or pointer;
             ///< nothing else.
  in_place,  ///< A tensor method or function that writes the storage of its object or first
             ///< argument.
  random,    ///< Draws from hidden state: torch::randn, std::rand.
  unknown    ///< Anything.
};
Conduct conductOf(const clang::FunctionDecl* function);
/// What stands for that parameter may be written: it is a reference that is not only passed on.
bool takesForWriting(const clang::FunctionDecl* function, unsigned parameter);
/// Hands its arguments on to a function that it is given: std::apply, std::invoke, std::visit.
bool isStandardCaller(const clang::FunctionDecl* function);
/// The call operator of std::ranges::sort and its like.
bool isStandardAlgorithmObject(const clang::FunctionDecl* function);

/// A random engine, device or torch generator.
bool isRandomEngine(clang::QualType type);
/// An object that acts on the rest of its block by being alive: torch::NoGradGuard.
bool isScopeGuard(clang::QualType type);

}  // namespace fdg::compiler
