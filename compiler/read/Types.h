// What a type is to the language: value, view, constant or component (docs/language.md, "Words").
//
// A value may cross (CannotCross says why another type may not). Pure functions.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"

namespace fdg::compiler {

enum class TypeKind {
  plain,  ///< Arithmetic types and enums.
  tensor,
  text,       ///< std::string.
  container,  ///< A standard container, optional, pair, tuple or array of values.
  aggregate,  ///< A struct of values; its methods are const.
  view,       ///< Refers to state elsewhere: pointers, spans, iterators, functions, lambdas.
  constant,   ///< Another class without non-const methods, or a bag of settings: local data that
              ///< cannot cross.
  component   ///< Any other class with state.
};

/// References are looked through.
TypeKind kindOf(clang::QualType type);
bool isValue(TypeKind kind);
inline bool isComponent(clang::QualType type) { return kindOf(type) == TypeKind::component; }

/// A copy of such an object may share state with the original: tensors, views, and what holds them.
bool sharesState(clang::QualType type);
/// An object of such a type may refer to a variable: pointers, iterators, lambdas, and what holds
/// them or references.
bool mayRefer(clang::QualType type);
/// Assignment writes what it refers to and leaves it referring: a tuple of references,
/// vector<bool>'s elements.
bool assignsThrough(clang::QualType type);
/// As a parameter: a reference or pointer through which the argument can be written.
bool givesWriteAccess(clang::QualType type);
/// Lets nobody write what it refers to: string_view, initializer_list, span of const.
bool isReadOnlyView(clang::QualType type);

/// Containers of the standard library that hold their elements themselves; true if they may cross.
std::optional<bool> standardContainer(const clang::CXXRecordDecl* record);
/// Calls f on the type arguments of a template specialisation, packs included, until it returns
/// false.
bool allArguments(const clang::CXXRecordDecl* record,
                  const std::function<bool(clang::QualType)>& f);

/// `struct Tree { std::vector<Tree> kids; }`.
bool containsItself(const clang::CXXRecordDecl* record);
/// Private or protected inside a class, so that no fragment can name it.
bool isHidden(const clang::TagDecl* tag);
/// What FDG_ROLE says of a class, or of what a standard container of such objects holds; empty:
/// none.
std::string roleOf(clang::QualType type);

}  // namespace fdg::compiler
