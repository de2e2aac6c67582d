// Rollout: what a number of steps of some environments gave, and the network of actor and critic
// that on-policy programs learn from it.
#pragma once

#include <vector>

#include "algorithms/envs/VectorEnv.h"
#include "algorithms/parts/Network.h"

namespace fdg::rl {

/// Every tensor is [rows, time, …].
struct Rollout {
  torch::Tensor observation;
  torch::Tensor action;    ///< int64, or float32 as drawn (before the clip to the bounds).
  torch::Tensor log_prob;  ///< Of the action when it was drawn.
  torch::Tensor value;     ///< V(s_t).
  torch::Tensor
      next_value;  ///< V(s_{t+1}); 0 where terminated, V(final observation) where truncated.
  torch::Tensor reward;
  torch::Tensor ended;  ///< bool: terminated or truncated.
};

/// The same with every tensor contiguous.
Rollout contiguous(Rollout rollout);
/// By generalised advantage estimation, [rows · time]. Tensors must be contiguous.
std::vector<float> advantagesOf(const Rollout& rollout, double gamma, double lambda);

/// "actor tanh …; critic tanh …", and "log_std vector …" for continuous actions.
/// `activation`: of the hidden layers, tanh or relu; another is a UserError. `scaled`: with moments
/// of the observations (Normaliser.h).
NetworkLayout actorCriticLayout(const EnvSpec& spec, const std::vector<int64_t>& hidden,
                                const std::string& activation = "tanh", bool scaled = false);
/// The text of a layout for the agents of a world: actors that see what their agent sees, critics
/// that see what all agents of the world see. One of each for all agents, or one for each agent.
FDG_PURE std::string centralCritic(const EnvSpec& spec, const std::vector<int64_t>& hidden,
                                   bool separate, const std::string& activation = "tanh");
/// Orthogonal: gain √2, a policy's last layer 0.01, a critic's 1.
std::vector<float> initActorCritic(const NetworkLayout& layout, double log_std, Stream& stream);

}  // namespace fdg::rl
