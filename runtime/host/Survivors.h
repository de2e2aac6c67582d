// Survivors: placement + deaths → whether the run goes on, and the words for it.
//
// A rank that may die (place/Mortality.h) can be done without as long as every group on it has a
// replica elsewhere that lives. All ranks that live come to the same end, in whatever order they
// hear of several deaths. Pure; one thread.
#pragma once

#include <string>
#include <vector>

#include "runtime/place/Placement.h"

namespace fdg::host {

struct Loss {
  bool ends_run = false;
  /// To stand behind the rank's name: " has died; the run goes on without worker replica 1 of 3".
  std::string text;
};

class Survivors {
 public:
  explicit Survivors(const place::Placement& placement)
      : placement_(placement), lives_(static_cast<size_t>(placement.ranks), true) {}

  Loss lose(int rank);
  /// The lowest rank that lives.
  int first() const;

 private:
  bool isLast(int group) const;

  const place::Placement& placement_;
  std::vector<bool> lives_;
};

/// "worker replica 1 of 3, evaluator": what a rank runs.
std::string workOf(const place::Placement& placement, int rank);

}  // namespace fdg::host
