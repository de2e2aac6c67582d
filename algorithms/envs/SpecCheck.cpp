#include "algorithms/envs/SpecCheck.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/Check.h"

namespace fdg::rl::detail {
namespace {

constexpr int64_t kMostNumbers = int64_t{1} << 31;  // of an observation
constexpr int64_t kMostActions = int64_t{1} << 20;

[[noreturn]] void refuse(const std::string& name, const std::string& field, const auto& value,
                         const std::string& allowed) {
  std::ostringstream text;
  text << name << ": EnvSpec::" << field << " is " << value << "; allowed: " << allowed;
  throw UserError(text.str());
}

void checkShape(const EnvSpec& spec) {
  int64_t numbers = 1;
  for (const int64_t dimension : spec.observation_shape) {
    if (dimension < 1 || dimension > kMostNumbers / numbers) {
      refuse(spec.name, "observation_shape", "{" + spec.shapeText() + "}",
             "dimensions of at least 1, and 2^31 numbers in all");
    }
    numbers *= dimension;
  }
}

void checkBounds(const EnvSpec& spec) {
  if (spec.discrete) {
    return;
  }
  const auto dimensions = static_cast<size_t>(spec.actions);
  if (spec.low.size() != dimensions || spec.high.size() != dimensions) {
    throw UserError(spec.name + ": its spec has " + std::to_string(spec.actions) +
                    " action dimensions; EnvSpec::low and high need a bound for each");
  }
  for (size_t d = 0; d < dimensions; ++d) {
    const double low = spec.low[d];
    const double high = spec.high[d];
    if (!(std::isfinite(low) && std::isfinite(high) && low < high)) {
      std::ostringstream text;
      text << spec.name << ": dimension " << d << " of its actions goes from " << low << " to "
           << high << "; policies need finite bounds, the lower one first";
      if (spec.name.starts_with("gym:")) {
        text << ". A wrapper of gymnasium (TransformAction) in a registered environment can give "
                "them";
      }
      throw UserError(text.str());
    }
  }
}

}  // namespace

void checkSpec(const EnvSpec& spec) {
  if (spec.name.empty()) {
    throw UserError(
        "an environment has no name: EnvSpec::name is what messages call it by; "
        "allowed is any text but an empty one");
  }
  checkShape(spec);
  if (spec.actions < 1 || spec.actions > kMostActions) {
    refuse(spec.name, "actions", spec.actions,
           "1 to 2^20, the number of discrete actions or of the dimensions of a continuous one");
  }
  checkBounds(spec);
  if (spec.time_limit < 0) {
    refuse(spec.name, "time_limit", spec.time_limit,
           "the most steps of an episode, or 0 for no limit");
  }
  if (spec.agents < 1) {
    refuse(spec.name, "agents", spec.agents, "1, or more where several act in one world");
  }
}

void checkKind(const EnvSpec& spec, bool takes_discrete, bool gives_bytes, bool takes_agents) {
  checkSpec(spec);
  if (spec.observation_shape.empty()) {
    refuse(spec.name, "observation_shape", "empty", "dimensions of at least 1, such as {4}");
  }
  if (spec.observation_type != (gives_bytes ? torch::kByte : torch::kFloat32)) {
    throw UserError(spec.name + ": EnvSpec::observation_type must be " +
                    (gives_bytes ? "kByte" : "kFloat32") + ", because its observe fills " +
                    (gives_bytes ? "uint8_t" : "float"));
  }
  if (spec.discrete != takes_discrete) {
    throw UserError(spec.name + ": its spec says " + (spec.discrete ? "discrete" : "continuous") +
                    " actions, but its step takes " +
                    (takes_discrete ? "int64_t" : "std::span<const float>"));
  }
  if (spec.agents > 1 && !takes_agents) {
    refuse(spec.name, "agents", spec.agents,
           "1 for a struct of one row; several agents are a world, see algorithms/envs/WorldsOf.h");
  }
}

void refuseSaving(const std::string& name, const std::string& reason) {
  throw UserError(name + " cannot be saved: " + reason + "; run without --checkpoint");
}

void refuseUnlessFilled(const std::string& name, size_t size, const std::vector<bool>& filled) {
  const std::string all = std::to_string(size);
  const auto behind = filled.begin() + static_cast<std::ptrdiff_t>(size);
  if (const auto last = std::find(filled.rbegin(), std::make_reverse_iterator(behind), true);
      last.base() != behind) {
    throw UserError(name + ": its observe() fills entry " +
                    std::to_string(last.base() - filled.begin() - 1) +
                    " of the observation, but EnvSpec::observation_shape has " + all +
                    " numbers; allowed are entries 0 to " + std::to_string(size - 1));
  }
  if (const auto empty = std::find(filled.begin(), behind, false); empty != behind) {
    throw UserError(name + ": its observe() leaves entry " +
                    std::to_string(empty - filled.begin()) +
                    " of the observation as it was; it must fill all " + all +
                    " numbers that EnvSpec::observation_shape has, each time");
  }
}

}  // namespace fdg::rl::detail
