#include "algorithms/envs/gym/Python.h"

#include <filesystem>
#include <mutex>

namespace fdg::rl {
namespace {

void startFrom(const std::string& home) {
  const std::string program = home + "/bin/python";
  if (!std::filesystem::exists(program)) {
    throw UserError(
        "gym: environments need a Python virtual environment, and " + home +
        " is none (there is no bin/python in it); name one with FDG_PYTHON_HOME=FOLDER");
  }
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.parse_argv = 0;
  config.install_signal_handlers = 0;
  // Python finds its packages from where its executable lies: so it looks where that python would.
  PyConfig_SetBytesString(&config, &config.program_name, program.c_str());
  PyConfig_SetBytesString(&config, &config.executable, program.c_str());
  try {
    pybind11::initialize_interpreter(&config, 0, nullptr, false);
  } catch (const std::runtime_error& error) {
    throw UserError("Python cannot start from " + home + ": " + error.what());
  }
  PyEval_SaveThread();  // the lock is taken around each use only
}

}  // namespace

void startPython() {
  static std::mutex starting;
  const std::lock_guard lock(starting);
  if (Py_IsInitialized() == 0) {
    startFrom(pythonHome());
  }
}

std::string messageOf(const pybind11::error_already_set& error) {
  const auto type = pybind11::str(error.type().attr("__name__"));
  return std::string(type) + ": " + std::string(pybind11::str(error.value()));
}

}  // namespace fdg::rl
