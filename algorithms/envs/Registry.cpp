// The environments known by name.
#include <array>
#include <cmath>
#include <sstream>

#include "algorithms/envs/Acrobot.h"
#include "algorithms/envs/CartPole.h"
#include "algorithms/envs/Environment.h"
#include "algorithms/envs/GymDoor.h"
#include "algorithms/envs/MountainCar.h"
#include "algorithms/envs/MountainCarContinuous.h"
#include "algorithms/envs/Pendulum.h"
#include "algorithms/envs/SideKinds.h"
#include "algorithms/envs/SimpleSpread.h"
#include "algorithms/envs/SimpleTag.h"
#include "algorithms/envs/tensor/TensorKind.h"
#include "base/NearestName.h"

namespace fdg::rl {
namespace {

struct Entry {
  const char* name;
  EnvKind (*kind)();
};

constexpr std::array kEntries = {
    Entry{"Acrobot-v1", &acrobot},
    Entry{"Ant-v5", [] { return mujocoKind("Ant-v5"); }},
    Entry{"CartPole-v1", &cartPole},
    Entry{"HalfCheetah-v5", [] { return mujocoKind("HalfCheetah-v5"); }},
    Entry{"Hopper-v5", [] { return mujocoKind("Hopper-v5"); }},
    Entry{"Humanoid-v5", [] { return mujocoKind("Humanoid-v5"); }},
    Entry{"LunarLander-v3", [] { return box2dKind("LunarLander-v3"); }},
    Entry{"LunarLanderContinuous-v3", [] { return box2dKind("LunarLanderContinuous-v3"); }},
    Entry{"MountainCar-v0", &mountainCar},
    Entry{"MountainCarContinuous-v0", &mountainCarContinuous},
    Entry{"Pendulum-v1", &pendulum},
    Entry{"Walker2d-v5", [] { return mujocoKind("Walker2d-v5"); }},
    Entry{"simple_spread", &simpleSpread},
    Entry{"simple_tag", &simpleTag},
    Entry{"tensor:CartPole-v1", &tensorCartPole},
    Entry{"tensor:Pendulum-v1", &tensorPendulum},
    Entry{"tensor:simple_tag", &tensorTag},
};

/// Throws UserError unless continuous actions have finite bounds.
void checkBounds(const EnvSpec& spec) {
  for (size_t d = 0; d < spec.low.size(); ++d) {
    if (!(std::isfinite(spec.low[d]) && std::isfinite(spec.high[d]) &&
          spec.low[d] < spec.high[d])) {
      std::ostringstream text;
      text << spec.name << ": dimension " << d << " of its actions goes from " << spec.low[d]
           << " to " << spec.high[d]
           << "; policies need finite bounds, the lower one first. A wrapper of gymnasium "
              "(TransformAction) in a registered environment can give them";
      throw UserError(text.str());
    }
  }
}

}  // namespace

EnvKind envKind(const std::string& name) {
  if (isGymName(name)) {
    EnvKind kind = gymKind(name);
    checkBounds(kind.spec);
    return kind;
  }
  std::vector<std::string> known;
  for (const Entry& entry : kEntries) {
    if (name == entry.name) {
      return entry.kind();
    }
    known.emplace_back(entry.name);
  }
  const std::string hint = didYouMean(name, known);
  throw UserError("there is no environment \"" + name + "\"" + hint + (hint.empty() ? "." : "") +
                  " Known are " + listNames(known) +
                  ", and gym:NAME for any environment of the Python package gymnasium");
}

namespace detail {

void refuseSaving(const std::string& name, const std::string& reason) {
  throw UserError(name + " cannot be saved: " + reason + "; run without --checkpoint");
}

void checkKind(const EnvSpec& spec, bool takes_discrete, bool gives_bytes) {
  if ((spec.observation_type == torch::kByte) != gives_bytes) {
    throw UserError(spec.name + ": EnvSpec::observation_type must be " +
                    (gives_bytes ? "kByte" : "kFloat32") + ", because its observe fills " +
                    (gives_bytes ? "uint8_t" : "float"));
  }
  if (spec.discrete != takes_discrete) {
    throw UserError(spec.name + ": its spec says " + (spec.discrete ? "discrete" : "continuous") +
                    " actions, but its step takes " +
                    (takes_discrete ? "int64_t" : "std::span<const float>"));
  }
  if (spec.agents < 1) {
    throw UserError(spec.name + ": its spec has " + std::to_string(spec.agents) +
                    " agents; EnvSpec::agents is 1 unless several act in one world");
  }
  if (spec.actions < 1) {
    throw UserError(spec.name + ": its spec has no actions; set EnvSpec::actions to their number");
  }
  const auto bounds = static_cast<size_t>(spec.actions);
  if (!spec.discrete && (spec.low.size() != bounds || spec.high.size() != bounds)) {
    throw UserError(spec.name + ": its spec has " + std::to_string(spec.actions) +
                    " action dimensions; EnvSpec::low and high need a bound for each");
  }
  checkBounds(spec);
}

}  // namespace detail

}  // namespace fdg::rl
