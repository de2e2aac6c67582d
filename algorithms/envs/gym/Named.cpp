#include "algorithms/envs/gym/Named.h"

#include <pybind11/stl.h>

#include <algorithm>

#include "algorithms/envs/gym/Python.h"
#include "base/ConfigError.h"
#include "base/NearestName.h"

namespace fdg::rl {
namespace {

namespace py = pybind11;

py::module_ gymnasium(const std::string& who) {
  try {
    return py::module_::import("gymnasium");
  } catch (const py::error_already_set& error) {
    throw UserError(who + " needs the Python package gymnasium, which the Python of " +
                    pythonHome() + " cannot import (" + messageOf(error) + "). Install it with " +
                    pythonHome() +
                    "/bin/pip install gymnasium, or name another virtual environment with "
                    "FDG_PYTHON_HOME=FOLDER");
  }
}

}  // namespace

std::pair<std::string, py::dict> splitName(const std::string& name) {
  py::dict options;
  const size_t question = name.find('?');
  if (question == std::string::npos) {
    return {name, options};
  }
  const py::object read_literal = py::module_::import("ast").attr("literal_eval");
  for (const py::handle& pair : py::str(name.substr(question + 1)).attr("split")("&")) {
    const auto parts = py::cast<std::vector<std::string>>(pair.attr("split")("=", 1));
    if (parts.size() != 2 || parts[0].empty()) {
      throw UserError("gym:" + name +
                      ": after the ? come options of the environment, KEY=VALUE, joined by &");
    }
    if (parts[1] == "true" || parts[1] == "false") {
      throw ConfigError("gym:" + name + ": " + parts[0] + " is " + parts[1] +
                        ", which is text; write True or False, or the text in quotes");
    }
    try {
      options[parts[0].c_str()] = read_literal(parts[1]);
    } catch (const py::error_already_set&) {
      options[parts[0].c_str()] = py::str(parts[1]);
    }
  }
  return {name.substr(0, question), options};
}

py::object makeNamed(const std::string& name) {
  const auto [id, options] = splitName(name);
  return makeWith(id, options);
}

py::object makeWith(const std::string& id, const py::dict& options) {
  const py::module_ gym = gymnasium("gym:" + id);
  try {
    return gym.attr("make")(id, py::arg("disable_env_checker") = true, **options);
  } catch (const py::error_already_set& error) {
    const py::object errors = gym.attr("error");
    if (!error.matches(errors.attr("UnregisteredEnv")) &&
        !error.matches(errors.attr("DeprecatedEnv"))) {
      throw;
    }
    std::vector<std::string> known;
    for (const py::handle& entry : gym.attr("registry")) {
      known.push_back(py::cast<std::string>(entry));
    }
    std::ranges::sort(known, std::greater<>());  // of names equally near, the newest version
    throw ConfigError("gym:" + id + ": gymnasium has no such environment" + didYouMean(id, known) +
                    " (" + messageOf(error) + ")");
  }
}

void refuseSavingPython(const std::string& name) {
  throw UserError(name + " cannot be saved: its state is inside Python; run without --checkpoint");
}

}  // namespace fdg::rl
