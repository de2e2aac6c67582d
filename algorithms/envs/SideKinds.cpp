#include "algorithms/envs/SideKinds.h"

#include "algorithms/envs/SideLibrary.h"

namespace fdg::rl {
namespace {

EnvKind kindFrom(const std::string& library, const std::string& name, const std::string& remedy) {
  void* symbol = librarySymbol(name, library, kMakeKindSymbol, remedy);
  EnvKind kind;
  reinterpret_cast<MakeKind*>(symbol)(name, kind);
  return kind;
}

}  // namespace

EnvKind mujocoKind(const std::string& name) {
  return kindFrom("libfdg_mujoco.so", name,
                  "It is built with FDG where the Python package mujoco 3.4.0 is installed in the "
                  "virtual environment, which scripts/setup does");
}

EnvKind box2dKind(const std::string& name) {
  return kindFrom("libfdg_box2d.so", name,
                  "It is built with FDG where Debian's libbox2d-dev is installed, which "
                  "scripts/setup does; gym:" +
                      name + " is the same without it");
}

}  // namespace fdg::rl
