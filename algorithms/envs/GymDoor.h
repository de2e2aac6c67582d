// gymKind("gym:NAME") → the kind of any Gymnasium environment, through Python in this process.
//
// Everything that needs Python is in libfdg_gym.so, which is loaded when the first gym: name is
// used: nothing else depends on Python being there. Refuses, as UserError, a missing library,
// Python or gymnasium package, unknown names, and spaces other than Box observations and Discrete
// or Box actions. Any thread. Cost: the first call starts Python, about 0.3 s.
#pragma once

#include <string>

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

bool isGymName(const std::string& name);
EnvKind gymKind(const std::string& name);

/// What libfdg_gym.so exports under kGymSymbol: fills `kind`, or throws UserError.
using MakeGymKind = void(const std::string& name, EnvKind& kind);
constexpr const char* kGymSymbol = "fdgMakeGymKind";

}  // namespace fdg::rl
