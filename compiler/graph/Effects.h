// Node → what it reads, writes and touches (language.md, "How the function is split", rules 1, 2
// and 5).
//
// Locations are variables, their fields one level deep, and structured bindings. References are
// looked through: what is done to them is done to what they are bound to. Calls are judged by
// Conduct; functions of the program's own files by their bodies. Cost: one walk over the function
// and the functions it calls.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "compiler/graph/Nodes.h"

namespace fdg::compiler {

struct Access {
  enum class How {
    read,
    assign,    ///< The whole variable or field gets another value.
    update,    ///< A part of it does.
    in_place,  ///< The storage behind it is written: a tensor's elements, what a pointer points to.
    move       ///< Its value is taken.
  };
  const clang::ValueDecl* variable = nullptr;
  const clang::FieldDecl* field = nullptr;  ///< Null: all of it.
  How how = How::read;
  clang::SourceLocation place;
  /// Read as the whole argument of a parameter marked FDG_LATEST.
  bool latest = false;
  /// An update of what the variable refers to, not of the variable.
  bool through = false;
};

/// A statement touches a component.
struct Touch {
  const clang::ValueDecl* object = nullptr;
  clang::SourceLocation place;
  bool constant = false;  ///< By a const method only.
  bool declares = false;
};

struct Impurity {
  enum class Kind { log, unknown, random, output };
  Kind kind = Kind::unknown;
  clang::SourceLocation place;
  std::string what;       ///< The function's name.
  bool by_value = false;  ///< Called through a pointer or a function object of that name.
  bool operator==(const Impurity&) const = default;
};

/// Something outside of the program that statements may use to tell each other things.
struct Outside {
  enum class Kind { files, environment };
  Kind kind = Kind::files;
  bool reads = false, writes = false;
  clang::SourceLocation place;
  std::string name;           ///< Of the file or variable; empty: not known.
  bool in_component = false;  ///< A method of a component does it.
  bool operator==(const Outside&) const = default;
};

/// The end of an object whose destructor does what a statement should do.
struct Death {
  clang::SourceLocation place;  ///< Where the object is made.
  std::string object;           ///< Its name; its type, if it is a temporary.
  bool temporary = false;
  bool logs = false;            ///< Else it writes to what it refers to.
  bool operator==(const Death&) const = default;
};

/// Something that is set for the process, as every fragment does.
struct Setting {
  clang::SourceLocation place;
  std::string what;           ///< The function's name.
  bool depends = false;       ///< On what only one fragment may know.
  bool in_component = false;  ///< A method of a component does it.
  bool operator==(const Setting&) const = default;
};

/// From here on the components that the statement touches refer to a variable of the function.
struct Hold {
  const clang::ValueDecl* variable = nullptr;
  bool by_reference = false;  ///< To the variable itself; else to the storage behind it.
  bool writes = false;        ///< Their methods may write there.
};

struct Effects {
  std::vector<Access> accesses;
  std::vector<Touch> touches;
  std::vector<Hold> holds;
  /// (target, source): from here on the target may share state with the source.
  std::vector<std::pair<const clang::ValueDecl*, const clang::ValueDecl*>> shares;
  /// (target, field or component): the target shares state with what a component keeps, there or
  /// anywhere, and what it or others write in place.
  std::vector<std::pair<const clang::ValueDecl*, const clang::ValueDecl*>> handed;
  /// Fields of components that are written in place from outside.
  std::vector<const clang::FieldDecl*> written_fields;
  /// Mutable variables that outlive the function.
  std::vector<std::pair<const clang::VarDecl*, clang::SourceLocation>> globals;
  std::vector<Impurity> impurities;
  std::vector<Outside> outside;
  std::vector<clang::SourceLocation> exits;  ///< Calls that end the process.
  std::vector<std::pair<std::string, clang::SourceLocation>> streams;  ///< run.stream("name")
  std::vector<clang::SourceLocation> random_places;
  bool reads_rows = false;      ///< run.rows
  bool reads_position = false;  ///< Where its rows lie among all: Rows::begin or end.
  bool guards_scope = false;    ///< Acts on what follows in its block.
  /// Sets something of the process, as every fragment does: acts on all that follows.
  bool sets_process = false;
  std::vector<Setting> settings;
  /// Writes of which nobody can say to what.
  std::vector<clang::SourceLocation> unclear_writes;
  std::vector<Death> deaths;
  bool wants_gradients = false;  ///< Makes or marks tensors that collect gradients.
  /// Calls of backward(): the tensors that collect gradients are written.
  std::vector<clang::SourceLocation> backward;
};

struct ProgramEffects {
  std::vector<Effects> of;  ///< By node.
  /// Reference variables and what they are bound to.
  std::map<const clang::ValueDecl*, const clang::ValueDecl*> references;
};

ProgramEffects collectEffects(const Program& program, const Nodes& nodes);

}  // namespace fdg::compiler
