#include "algorithms/envs/gym/Spaces.h"

#include <pybind11/stl.h>

#include <algorithm>

namespace fdg::rl {
namespace {

namespace py = pybind11;

std::string typeName(const py::handle& object) {
  return std::string(py::str(py::type::handle_of(object).attr("__name__")));
}

bool isA(const py::handle& space, const char* name) {
  return py::isinstance(space, py::module_::import("gymnasium.spaces").attr(name));
}

/// float32 holds every float up to rounding and every integer of 16 bits exactly.
bool fitsFloat32(const py::handle& dtype) {
  const auto kind = py::cast<std::string>(dtype.attr("kind"));
  const auto bytes = py::cast<int64_t>(dtype.attr("itemsize"));
  return kind == "f" || ((kind == "i" || kind == "u") && bytes <= 2);
}

std::vector<double> flattened(const py::object& bounds) {
  const auto wide = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(bounds);
  return {wide.data(), wide.data() + wide.size()};
}

void readObservations(EnvSpec& spec, const py::object& space) {
  if (!isA(space, "Box") || !fitsFloat32(space.attr("dtype"))) {
    throw UserError(
        spec.name + ": its observations are a " + std::string(py::str(space)) +
        "; taken are Box spaces of floats or of integers up to 16 bits. A wrapper of gymnasium "
        "(FlattenObservation, TransformObservation) in a registered environment can make one");
  }
  spec.observation_shape = py::cast<std::vector<int64_t>>(space.attr("shape"));
  const py::object dtype = space.attr("dtype");
  if (spec.observation_shape.size() == 3 && py::cast<std::string>(dtype.attr("name")) == "uint8") {
    spec.observation_type = torch::kByte;
  }
}

}  // namespace

EnvSpec readSpec(const std::string& name, const py::object& environment) {
  EnvSpec spec;
  spec.name = name;
  readObservations(spec, environment.attr("observation_space"));
  const py::object actions = environment.attr("action_space");
  spec.discrete = isA(actions, "Discrete");
  if (spec.discrete) {
    spec.actions = py::cast<int64_t>(actions.attr("n"));
  } else if (isA(actions, "Box") &&
             py::cast<std::string>(actions.attr("dtype").attr("kind")) == "f") {
    spec.low = flattened(actions.attr("low"));
    spec.high = flattened(actions.attr("high"));
    spec.actions = static_cast<int64_t>(spec.low.size());
  } else {
    throw UserError(name + ": its actions are a " + std::string(py::str(actions)) +
                    "; taken are Discrete and Box spaces of floats");
  }
  const py::object limit = environment.attr("spec").attr("max_episode_steps");
  spec.time_limit = limit.is_none() ? 0 : py::cast<int64_t>(limit);
  return spec;
}

ActionSpace readActions(const py::object& environment) {
  const py::object actions = environment.attr("action_space");
  ActionSpace space;
  space.discrete = isA(actions, "Discrete");
  if (space.discrete) {
    space.first = py::cast<int64_t>(actions.attr("start"));
  } else {
    space.shape = py::cast<std::vector<int64_t>>(actions.attr("shape"));
    space.dtype = actions.attr("dtype");
  }
  return space;
}

py::object toPython(const ActionSpace& space, const Actions& actions, int64_t row,
                    int64_t dimensions) {
  if (space.discrete) {
    return py::int_(space.first + actions.discrete[row]);
  }
  const py::array_t<float> action(space.shape, actions.continuous + row * dimensions);
  return action.attr("astype")(space.dtype, py::arg("copy") = false);
}

template <class Number>
void copyObservation(const std::string& name, const py::handle& observation,
                     std::span<Number> out) {
  const auto numbers =
      py::array_t<Number, py::array::c_style | py::array::forcecast>::ensure(observation);
  if (!numbers) {
    PyErr_Clear();
    throw UserError(name + ": it gave an observation of type " + typeName(observation) +
                    ", which is no array of numbers");
  }
  if (static_cast<size_t>(numbers.size()) != out.size()) {
    throw UserError(name + ": it gave an observation of " + std::to_string(numbers.size()) +
                    " numbers, but its observation space has " + std::to_string(out.size()));
  }
  std::copy_n(numbers.data(), out.size(), out.begin());
}

template void copyObservation(const std::string&, const py::handle&, std::span<float>);
template void copyObservation(const std::string&, const py::handle&, std::span<uint8_t>);

}  // namespace fdg::rl
