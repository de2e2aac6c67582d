// What generated code includes: the interface between a compiled plan and the runtime that hosts
// it. Users never include it; `fdgc --emit=cpp` shows it at work.
#pragma once

#include "fdg/ports.h"
#include "fdg/program.h"
#include "fdg/run.h"
#include "fdg/tape.h"

namespace fdg::host {

struct FragmentCode {
  int id;
  Task (*start)(Run& run, const void* config, Ports& ports);
};

/// A std::span costs every program 0.1 s for concepts that the precompiled header cannot keep.
struct FragmentList {
  const FragmentCode* first;
  size_t count;

  size_t size() const { return count; }
  const FragmentCode& operator[](size_t i) const { return first[i]; }
};

/// What a plan exports as `extern "C" const fdg::host::PlanCode* fdgPlanCode()`.
struct PlanCode {
  int interface_version;
  void* (*make_config)();
  void (*free_config)(void* config);
  void (*visit_config)(void* config, ConfigVisitor& visitor);
  FragmentList fragments;
  void (*sequential)(Run& run, const void* config, Tape& tape);
};

}  // namespace fdg::host
