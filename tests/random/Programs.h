// What a file of projected programs exports, for random_run: `extern "C" const random_programs::List*
// randomPrograms()`.
#pragma once

#include "fdg/fragment.h"

namespace random_programs {

struct Entry {
  const char* name;
  const char* manifest;  ///< As JSON.
  void (*plain)(fdg::Run& run, const void* config);  ///< The program as it was written.
  const fdg::host::PlanCode* (*code)();
};

struct List {
  std::span<const Entry> entries;
};

}  // namespace random_programs
