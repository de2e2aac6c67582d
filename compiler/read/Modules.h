// Types and methods → which of them are torch's modules and optimizers. Pure functions of the
// declarations.
#pragma once

#include "clang/AST/DeclCXX.h"

namespace fdg::compiler {

/// A module of torch, or what holds one.
bool isNetwork(clang::QualType type);
/// An optimiser of torch, or what holds one.
bool isOptimizer(clang::QualType type);

/// A call of a module, or of what holds one.
bool callsModule(const clang::CXXMethodDecl* method);
/// The module behind a holder: of `Net : ModuleHolder<NetImpl>` that is NetImpl; else the class
/// itself.
const clang::CXXRecordDecl* moduleOf(const clang::CXXRecordDecl* record);
/// Which modules it holds its class does not tell.
bool holdsAnyModule(const clang::CXXRecordDecl* module);

}  // namespace fdg::compiler
