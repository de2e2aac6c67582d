// The library of algorithms' parts and environments, for programs that want it: `rl::` names all
// of it.
#pragma once

#include "algorithms/envs/Environment.h"
#include "algorithms/envs/VectorEnv.h"
#include "algorithms/envs/WorldsOf.h"
#include "algorithms/parts/A2cLearner.h"
#include "algorithms/parts/A3cParameters.h"
#include "algorithms/parts/A3cWorker.h"
#include "algorithms/parts/ConfigCheck.h"
#include "algorithms/parts/DpgLearner.h"
#include "algorithms/parts/DqnLearner.h"
#include "algorithms/parts/Evaluator.h"
#include "algorithms/parts/FastSacLearner.h"
#include "algorithms/parts/LambdaReturns.h"
#include "algorithms/parts/NStep.h"
#include "algorithms/parts/PpoLearner.h"
#include "algorithms/parts/PrioritizedReplay.h"
#include "algorithms/parts/QActor.h"
#include "algorithms/parts/RolloutActor.h"
#include "algorithms/parts/SacLearner.h"
#include "algorithms/parts/SquashedActor.h"
#include "algorithms/parts/UniformReplay.h"
#include "algorithms/parts/VTrace.h"

namespace rl = fdg::rl;
