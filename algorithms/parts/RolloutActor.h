// RolloutActor: observations → sampled actions, and the rollout that a number of steps adds up to.
//
// The policy is a softmax, or a Gaussian whose deviation does not depend on the state. Row r draws
// from row r of the stream; each row has the same bits whichever replica owns it. Values of final
// observations are computed where an episode is truncated. With the networks of several agents
// (centralCritic) rows are whole worlds. Not thread-safe.
#pragma once

#include "algorithms/envs/TensorPool.h"
#include "algorithms/parts/AgentNetworks.h"
#include "algorithms/parts/Distributions.h"
#include "algorithms/parts/Normaliser.h"
#include "algorithms/parts/Rollout.h"

namespace fdg::rl {

class FDG_ROLE("actor") RolloutActor {
 public:
  /// `horizon`: steps per rollout; `hidden`: layers of actor and critic.
  RolloutActor(const EnvSpec& spec, Rows rows, int64_t horizon, const std::vector<int64_t>& hidden,
               Stream stream);
  /// `networks`: a layout's text; with moments of the observations it scales by them.
  RolloutActor(const EnvSpec& spec, Rows rows, int64_t horizon, const std::string& networks,
               Stream stream);

  /// Must come before the first act. Copies.
  void load(FDG_LATEST const Weights& weights);
  /// [rows, …] → the environment's actions.
  torch::Tensor act(const torch::Tensor& observation);
  /// What the last action led to. Call after each act.
  void record(const Outcome& outcome);
  /// After `horizon` steps: the rollout, given away. `observation` is what comes next.
  Rollout rollout(const torch::Tensor& observation);

  template <class A>
  void archive(A& a) {
    a(stream_, parameters_, steps_, time_);
  }

 private:
  void begin();
  torch::Tensor sampleDiscrete(std::span<const float> logits);
  torch::Tensor sampleContinuous(std::span<const float> means);
  /// Of one of the rows of observations.
  float valueOf(const float* observations, int64_t row);

  EnvSpec spec_;
  Rows rows_;
  int64_t horizon_;
  NetworkLayout layout_;
  AgentNetworks actor_;
  AgentNetworks critic_;
  ScaledObservations scaled_;
  int64_t log_std_;
  Stream stream_;
  std::vector<float> parameters_;
  TensorPool actions_;
  Deviations deviations_;
  Rollout steps_;  // of the rollout under way
  int64_t time_ = 0;
};

}  // namespace fdg::rl
