// What generated code includes: the interface between a compiled plan and the runtime that hosts
// it. Users never include it; `fdgc --emit=cpp` shows it at work.
#pragma once

#include <span>

#include "fdg/ports.h"
#include "fdg/program.h"
#include "fdg/run.h"
#include "fdg/tape.h"

namespace fdg::host {

struct FragmentCode {
  int id;
  Task (*start)(Run& run, const void* config, Ports& ports);
};

/// What a plan exports as `extern "C" const fdg::host::PlanCode* fdgPlanCode()`.
struct PlanCode {
  int interface_version;
  void* (*make_config)();
  void (*free_config)(void* config);
  void (*visit_config)(void* config, ConfigVisitor& visitor);
  std::span<const FragmentCode> fragments;
  void (*sequential)(Run& run, const void* config, Tape& tape);
};

}  // namespace fdg::host
