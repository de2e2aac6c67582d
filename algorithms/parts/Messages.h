// The library's messages and components → what can be done with them when they cross or are saved,
// compiled once into libfdg_rl instead of into every program. Part of the precompiled header of
// programs; a message that is not named here works all the same, its program takes longer to
// compile.
#pragma once

#include "fdg/fragment.h"
#include "fdg/rl.h"

namespace fdg::host {

extern template const ElementOps& elementsOf<rl::Outcome>();
extern template const ElementOps& elementsOf<rl::Weights>();
extern template const ElementOps& elementsOf<rl::Transitions>();
extern template const ElementOps& elementsOf<rl::Experience>();
extern template const ElementOps& elementsOf<rl::Batch>();
extern template const ElementOps& elementsOf<rl::Priorities>();
extern template const ElementOps& elementsOf<rl::Rollout>();
extern template const ElementOps& elementsOf<rl::Moments>();
extern template const ElementOps& elementsOf<rl::RowGradients>();
extern template const ElementOps& elementsOf<Weighted<rl::Gradients>>();

extern template void LoopState::operator()(const char* name, rl::VectorEnv& variable);
extern template void LoopState::operator()(const char* name, rl::QActor& variable);
extern template void LoopState::operator()(const char* name, rl::NStep& variable);
extern template void LoopState::operator()(const char* name, rl::PrioritizedReplay& variable);
extern template void LoopState::operator()(const char* name, rl::UniformReplay& variable);
extern template void LoopState::operator()(const char* name, rl::DqnLearner& variable);
extern template void LoopState::operator()(const char* name, rl::Evaluator& variable);
extern template void LoopState::operator()(const char* name, rl::RolloutActor& variable);
extern template void LoopState::operator()(const char* name, rl::PpoLearner& variable);
extern template void LoopState::operator()(const char* name, rl::SquashedActor& variable);
extern template void LoopState::operator()(const char* name, rl::SacLearner& variable);
extern template void LoopState::operator()(const char* name, rl::FastSacLearner& variable);
extern template void LoopState::operator()(const char* name, rl::DpgLearner& variable);
extern template void LoopState::operator()(const char* name, rl::A2cLearner& variable);
extern template void LoopState::operator()(const char* name, rl::A3cWorker& variable);
extern template void LoopState::operator()(const char* name, rl::A3cParameters& variable);
extern template void LoopState::operator()(const char* name, rl::Outcome& variable);
extern template void LoopState::operator()(const char* name, rl::Weights& variable);

namespace detail {

template <class... M>
void instantiateCrossing(Ports& ports, Tape& tape, M&... messages) {
  (void(ports.send(0, messages)), ...);
  (void(ports.receive(0, messages)), ...);
  (void(ports.exchange(0, messages)), ...);
  (tape.cross(0, messages), ...);
}
template <class... C>
void instantiateEnd(C&... components) {
  (components.~C(), ...);
}

/// Never called: what generated code instantiates is in the precompiled header because of it.
inline void instantiateGlue(Run& run, Ports& ports, Tape& tape, at::Tensor& tensor, int64_t& count,
                            rl::Outcome& outcome, rl::Weights& weights,
                            rl::Transitions& transitions, rl::Experience& experience,
                            rl::Batch& batch, rl::Priorities& priorities, rl::Rollout& rollout,
                            rl::Moments& moments, rl::RowGradients& row_gradients,
                            Weighted<rl::Gradients>& gradients) {
  instantiateCrossing(ports, tape, tensor, count, outcome, weights, transitions, experience, batch,
                      priorities, rollout, moments, row_gradients, gradients);
  ports.onDrain<rl::Experience>(0, [](const rl::Experience&) {});
  ports.tell(0, true).await_resume();
  ports.ask<bool>(0).await_resume();
  ports.ask<int64_t>(0).await_resume();
  run.save("", weights);
  run.log("", count);
  run.log("", 1.0);
  run.log("", tensor);
}
inline void instantiateEnds(rl::VectorEnv& envs, rl::QActor& q_actor, rl::NStep& nstep,
                            rl::PrioritizedReplay& prioritized, rl::UniformReplay& uniform,
                            rl::DqnLearner& dqn, rl::Evaluator& evaluator,
                            rl::RolloutActor& rollout_actor, rl::PpoLearner& ppo,
                            rl::SquashedActor& squashed_actor, rl::SacLearner& sac,
                            rl::FastSacLearner& fast_sac, rl::DpgLearner& dpg, rl::A2cLearner& a2c,
                            rl::A3cWorker& a3c_worker, rl::A3cParameters& a3c_parameters) {
  instantiateEnd(envs, q_actor, nstep, prioritized, uniform, dqn, evaluator, rollout_actor, ppo,
                 squashed_actor, sac, fast_sac, dpg, a2c, a3c_worker, a3c_parameters);
}

}  // namespace detail
}  // namespace fdg::host
