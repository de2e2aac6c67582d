#include "algorithms/envs/SideLibrary.h"

#include <dlfcn.h>

#include "base/Check.h"

namespace fdg::rl {
namespace {

/// The library beside the one that holds this code, or wherever the loader finds it.
void* openLibrary(const std::string& name) {
  // Global: Python's extension modules look for Python's symbols among those of the whole process.
  constexpr int kHow = RTLD_NOW | RTLD_GLOBAL;
  Dl_info here;
  if (dladdr(reinterpret_cast<void*>(&openLibrary), &here) != 0 && here.dli_fname != nullptr) {
    const std::string path = here.dli_fname;
    if (void* library = dlopen((path.substr(0, path.rfind('/') + 1) + name).c_str(), kHow)) {
      return library;
    }
  }
  return dlopen(name.c_str(), kHow);
}

}  // namespace

void* librarySymbol(const std::string& who, const std::string& library, const char* symbol,
                    const std::string& remedy) {
  void* opened = openLibrary(library);
  void* found = opened == nullptr ? nullptr : dlsym(opened, symbol);
  if (found == nullptr) {
    const char* reason = dlerror();
    throw UserError(who + " needs " + library + ", which cannot be loaded: " +
                    (reason != nullptr ? reason : "no reason given") + ". " + remedy);
  }
  return found;
}

}  // namespace fdg::rl
