// "NAME?key=value&key=value" → a Python environment of gymnasium. All functions need Python's lock.
//
// Refuses, as UserError, a missing gymnasium package, options that are none, and unknown names with
// the nearest registered one; what gymnasium raises otherwise passes through.
#pragma once

#include <pybind11/embed.h>

#include <string>
#include <utility>

namespace fdg::rl {

/// Name and options; values are read as Python literals, other text is a string.
std::pair<std::string, pybind11::dict> splitName(const std::string& name);

pybind11::object makeNamed(const std::string& name);
/// The same of a name without options.
pybind11::object makeWith(const std::string& id, const pybind11::dict& options);

[[noreturn]] void refuseSavingPython(const std::string& name);

}  // namespace fdg::rl
