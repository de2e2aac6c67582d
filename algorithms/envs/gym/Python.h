// The Python of this process: started once, entered around each use, never ended.
//
// Python is a resource of the process (extension modules keep it for good), so this is the one
// place that holds process-wide state. It starts without signal handlers: Ctrl-C stays the
// program's. Between uses no thread holds its lock. Its packages are those of the virtual
// environment given at build time, or of the one that the variable FDG_PYTHON_HOME names.
#pragma once

#include <pybind11/embed.h>

#include <string>

#include "algorithms/envs/PythonHome.h"
#include "base/Check.h"

namespace fdg::rl {

/// Starts Python if it is not running. Any thread. Throws UserError if it cannot start.
void startPython();

/// "ValueError: …", without the traceback. Needs the lock.
std::string messageOf(const pybind11::error_already_set& error);

/// Runs `act` holding Python's lock. What Python raises becomes a UserError that begins with
/// `who()`.
template <class Who, class Act>
auto inPython(const Who& who, const Act& act) {
  startPython();
  const pybind11::gil_scoped_acquire lock;
  try {
    return act();
  } catch (const pybind11::error_already_set& error) {
    throw UserError(who() + ": " + messageOf(error));
  } catch (const pybind11::builtin_exception& error) {
    throw UserError(who() + ": " + error.what());
  }
}

}  // namespace fdg::rl
