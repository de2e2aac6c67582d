// atariKind("ALE/Pong-v5?…") → Atari 2600 games as Mnih et al. 2015 learn them, through the Python
// package ale-py.
//
// An observation is a stack of the last 4 frames, uint8 [4, 84, 84]. A step repeats the action for
// 4 frames, sums their rewards and sees the larger of the last two frames, grey, each pixel the
// mean of its area. An episode begins with 1 to 30 frames of no action. The same as gymnasium's
// AtariPreprocessing and FrameStackObservation give from the same seed, without OpenCV. Rewards are
// the game's. Options: noops=30, skip=4, stack=4, size=84, life_loss=False (True: an episode ends
// with each life); all others are the environment's own.
#pragma once

#include <string>

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

/// Names that begin with ALE/. With a module before it ("ale_py:ALE/Pong-v5") a game stays what
/// gymnasium makes of it.
bool isAtari(const std::string& name);
EnvKind atariKind(const std::string& name);

}  // namespace fdg::rl
