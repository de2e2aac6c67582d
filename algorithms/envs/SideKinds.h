// Kinds of environments from libraries of their own, which are loaded when first asked for:
// mujocoKind("HalfCheetah-v5"), one of Gymnasium's walking robots, from libfdg_mujoco.so;
// box2dKind("LunarLander-v3") from libfdg_box2d.so.
//
// Refuses, as UserError, a missing library, and what the kind itself needs and misses (the robots'
// models). Any thread. Cost: the first call loads the library, up to 5 MB; each of mujocoKind reads
// the robot's model, up to 10 ms.
#pragma once

#include <string>

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

EnvKind mujocoKind(const std::string& name);
EnvKind box2dKind(const std::string& name);

/// What such a library exports under kMakeKindSymbol: fills `kind`, or throws UserError.
using MakeKind = void(const std::string& name, EnvKind& kind);
constexpr const char* kMakeKindSymbol = "fdgMakeKind";

}  // namespace fdg::rl
