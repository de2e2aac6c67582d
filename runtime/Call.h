// The options → everything that is known before the ranks are: manifest, policy, code and config; of a
// run that goes on, its checkpoint.
//
// Throws UserError for what the user can get wrong. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/Manifest.h"
#include "core/Config.h"
#include "runtime/Options.h"
#include "runtime/checkpoint/Folder.h"
#include "runtime/host/Worker.h"
#include "runtime/place/Policy.h"

namespace fdg {

/// The plan's config struct, freed by the plan's own code.
using Config = std::unique_ptr<void, void (*)(void*)>;

struct Call {
  Options options;
  Manifest manifest;
  place::Policy policy;
  const host::PlanCode* code = nullptr;
  Config config{nullptr, nullptr};
  std::optional<checkpoint::Found> resume;

  VisitConfig visit() const {
    return [this](ConfigVisitor& visitor) { code->visit_config(config.get(), visitor); };
  }
};

Call readCall(Options options);

/// The path of this program.
std::string executable();

}  // namespace fdg
