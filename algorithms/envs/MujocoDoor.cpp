#include "algorithms/envs/MujocoDoor.h"

#include "algorithms/envs/SideLibrary.h"

namespace fdg::rl {

EnvKind mujocoKind(const std::string& name) {
  void* symbol =
      librarySymbol(name, "libfdg_mujoco.so", kMujocoSymbol,
                    "It is built with FDG where the Python package mujoco 3.4.0 is installed in "
                    "the virtual environment, which scripts/setup does");
  EnvKind kind;
  reinterpret_cast<MakeMujocoKind*>(symbol)(name, kind);
  return kind;
}

}  // namespace fdg::rl
