#include "algorithms/envs/GymDoor.h"

#include <dlfcn.h>

namespace fdg::rl {
namespace {

constexpr const char* kPrefix = "gym:";
constexpr const char* kLibrary = "libfdg_gym.so";

/// The library beside the one that holds this code, or wherever the loader finds it.
void* openLibrary() {
  // Global: Python's extension modules look for Python's symbols among those of the whole process.
  constexpr int kHow = RTLD_NOW | RTLD_GLOBAL;
  Dl_info here;
  if (dladdr(reinterpret_cast<void*>(&openLibrary), &here) != 0 && here.dli_fname != nullptr) {
    const std::string path = here.dli_fname;
    if (void* library = dlopen((path.substr(0, path.rfind('/') + 1) + kLibrary).c_str(), kHow)) {
      return library;
    }
  }
  return dlopen(kLibrary, kHow);
}

}  // namespace

bool isGymName(const std::string& name) { return name.starts_with(kPrefix); }

EnvKind gymKind(const std::string& name) {
  void* library = openLibrary();  // counted by the loader: the same one every time
  void* symbol = library == nullptr ? nullptr : dlsym(library, kGymSymbol);
  if (symbol == nullptr) {
    const char* reason = dlerror();
    throw UserError(
        name + " needs " + kLibrary +
        ", which cannot be loaded: " + (reason != nullptr ? reason : "no reason given") +
        ". It is built with FDG where Python's development package and pybind11 are installed");
  }
  EnvKind kind;
  reinterpret_cast<MakeGymKind*>(symbol)(name.substr(std::string(kPrefix).size()), kind);
  return kind;
}

}  // namespace fdg::rl
