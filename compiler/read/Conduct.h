// A function's declaration → what a call of it may do.
//
// Tensor functions are judged by their names (`add_` writes, `view` shares storage), those of the
// standard library by a list, others by their marks. Nothing here looks into bodies: Summaries
// does, for functions of the program. Pure functions; cost: a string per call.
#pragma once

#include <string>

#include "clang/AST/Decl.h"

namespace fdg::compiler {

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
/// Makes a module of torch that draws its first weights from hidden state.
bool drawsWeights(const clang::CXXConstructorDecl* constructor);
/// Of torch: saves, loads, prints or waits. It writes nothing but what it gets by non-const
/// reference.
bool actsOutside(const clang::FunctionDecl* function);
/// What stands for that parameter may be written: it is a reference that is not only passed on.
bool takesForWriting(const clang::FunctionDecl* function, unsigned parameter);
/// Hands its arguments on to a function that it is given: std::apply, std::invoke, std::visit.
bool isStandardCaller(const clang::FunctionDecl* function);
/// The call operator of std::ranges::sort and its like.
bool isStandardAlgorithmObject(const clang::FunctionDecl* function);
/// `sort` of std::sort and of std::ranges::sort.
std::string algorithmName(const clang::FunctionDecl* function);

}  // namespace fdg::compiler
