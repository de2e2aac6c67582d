#include "algorithms/parts/Messages.h"

namespace fdg::host {

template const ElementOps& elementsOf<rl::Outcome>();
template const ElementOps& elementsOf<rl::Weights>();
template const ElementOps& elementsOf<rl::Transitions>();
template const ElementOps& elementsOf<rl::Experience>();
template const ElementOps& elementsOf<rl::Batch>();
template const ElementOps& elementsOf<rl::Priorities>();
template const ElementOps& elementsOf<rl::Rollout>();
template const ElementOps& elementsOf<rl::Moments>();
template const ElementOps& elementsOf<rl::RowGradients>();
template const ElementOps& elementsOf<Weighted<rl::Gradients>>();

template void LoopState::operator()(const char* name, rl::VectorEnv& variable);
template void LoopState::operator()(const char* name, rl::QActor& variable);
template void LoopState::operator()(const char* name, rl::NStep& variable);
template void LoopState::operator()(const char* name, rl::PrioritizedReplay& variable);
template void LoopState::operator()(const char* name, rl::UniformReplay& variable);
template void LoopState::operator()(const char* name, rl::DqnLearner& variable);
template void LoopState::operator()(const char* name, rl::Evaluator& variable);
template void LoopState::operator()(const char* name, rl::RolloutActor& variable);
template void LoopState::operator()(const char* name, rl::PpoLearner& variable);
template void LoopState::operator()(const char* name, rl::SquashedActor& variable);
template void LoopState::operator()(const char* name, rl::SacLearner& variable);
template void LoopState::operator()(const char* name, rl::FastSacLearner& variable);
template void LoopState::operator()(const char* name, rl::DpgLearner& variable);
template void LoopState::operator()(const char* name, rl::A2cLearner& variable);
template void LoopState::operator()(const char* name, rl::A3cWorker& variable);
template void LoopState::operator()(const char* name, rl::A3cParameters& variable);
template void LoopState::operator()(const char* name, rl::Outcome& variable);
template void LoopState::operator()(const char* name, rl::Weights& variable);

}  // namespace fdg::host
