// The environments known by name.
#include <array>

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
#include "algorithms/envs/SpecCheck.h"
#include "algorithms/envs/tensor/TensorKind.h"
#include "base/ConfigError.h"
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

}  // namespace

EnvKind envKind(const std::string& name) {
  if (isGymName(name)) {
    EnvKind kind = gymKind(name);
    detail::checkSpec(kind.spec);
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
  throw ConfigError("there is no environment \"" + name + "\"" + hint + (hint.empty() ? "." : "") +
                  " Known are " + listNames(known) +
                  ", and gym:NAME for any environment of the Python package gymnasium");
}

}  // namespace fdg::rl
