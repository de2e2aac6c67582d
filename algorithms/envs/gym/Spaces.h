// Gymnasium's spaces as EnvSpec, and values as they cross to and from Python.
//
// Taken: Box observations whose numbers float32 can hold (floats; integers up to 16 bits), Discrete
// and Box actions. Others are refused with a sentence. uint8 in three dimensions stays uint8, all
// else becomes float32. All functions need Python's lock.
#pragma once

#include <pybind11/numpy.h>

#include <span>
#include <string>

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

/// How actions of a row become what the Python environment takes.
struct ActionSpace {
  bool discrete = true;
  int64_t first = 0;           ///< Discrete: the number that action 0 stands for.
  std::vector<int64_t> shape;  ///< Box.
  pybind11::object dtype;
};

/// The spec of a Python environment, under the name `name`.
EnvSpec readSpec(const std::string& name, const pybind11::object& environment);
ActionSpace readActions(const pybind11::object& environment);

pybind11::object toPython(const ActionSpace& space, const Actions& actions, int64_t row,
                          int64_t dimensions);
/// Copies an observation, as float or uint8_t. Throws UserError if it has another size than its
/// space.
template <class Number>
void copyObservation(const std::string& name, const pybind11::handle& observation,
                     std::span<Number> out);

}  // namespace fdg::rl
