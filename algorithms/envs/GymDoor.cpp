#include "algorithms/envs/GymDoor.h"

#include "algorithms/envs/SideLibrary.h"

namespace fdg::rl {
namespace {

constexpr const char* kPrefix = "gym:";

}  // namespace

bool isGymName(const std::string& name) { return name.starts_with(kPrefix); }

EnvKind gymKind(const std::string& name) {
  void* symbol = librarySymbol(
      name, "libfdg_gym.so", kGymSymbol,
      "It is built with FDG where Python's development package and pybind11 are installed");
  EnvKind kind;
  reinterpret_cast<MakeGymKind*>(symbol)(name.substr(std::string(kPrefix).size()), kind);
  return kind;
}

}  // namespace fdg::rl
