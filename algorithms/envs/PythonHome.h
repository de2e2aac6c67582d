// The folder of the virtual environment whose packages are used: the one that the variable
// FDG_PYTHON_HOME names, or the one FDG was built with. For libraries built with
// FDG_PYTHON_HOME_AT_BUILD.
#pragma once

#include <cstdlib>
#include <string>

namespace fdg::rl {

inline std::string pythonHome() {
  const char* named = std::getenv("FDG_PYTHON_HOME");
  return named != nullptr && *named != '\0' ? named : FDG_PYTHON_HOME_AT_BUILD;
}

}  // namespace fdg::rl
