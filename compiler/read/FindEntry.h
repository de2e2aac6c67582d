// AST → the training function.
//
// It is the one that --entry or the only FDG_PROGRAM names; without either, the only function of
// the main file with the signature of one. Refuses what cannot be taken apart: a declaration
// without a body, a template, a method, another signature, a head that a macro makes. One thread;
// cost: one walk over the user's declarations.
#pragma once

#include <functional>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "compiler/read/Diagnostics.h"
#include "compiler/read/ParseProgram.h"

namespace fdg::compiler {

/// Null: there is none; it has been said why.
const clang::FunctionDecl* findEntry(const ParsedProgram& parsed, Diagnostics& diagnostics);

/// void(fdg::Run&, const C&) for a class C.
bool isTraining(const clang::FunctionDecl* function);
/// Neither in the precompiled header nor in a system's one.
bool isOfUser(const clang::Decl& decl, const clang::SourceManager& sources);
/// Calls f on each declaration of the user's own files that stands at the outermost level.
void forEachUserDecl(clang::ASTContext& context, const std::function<void(clang::Decl*)>& f);
/// All functions with bodies in the user's own files, methods and templates included.
std::vector<const clang::FunctionDecl*> functionsOfUser(clang::ASTContext& context);

}  // namespace fdg::compiler
