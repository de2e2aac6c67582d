// mujocoKind("HalfCheetah-v5") → the kind of one of Gymnasium's walking robots, over MuJoCo.
//
// Everything that needs MuJoCo is in libfdg_mujoco.so, which is loaded when the first such name is
// used. Refuses, as UserError, a missing library and missing robot models (they are read from the
// installed package gymnasium). Any thread. Cost: the first call loads 5 MB, and each reads the
// robot's model, up to 10 ms.
#pragma once

#include <string>

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

EnvKind mujocoKind(const std::string& name);

/// What libfdg_mujoco.so exports under kMujocoSymbol: fills `kind`, or throws UserError.
using MakeMujocoKind = void(const std::string& name, EnvKind& kind);
constexpr const char* kMujocoSymbol = "fdgMakeMujocoKind";

}  // namespace fdg::rl
