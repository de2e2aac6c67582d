// QNetwork: Q-values of discrete actions from a small dense network, plain or dueling; of images,
// from such a network behind the convolutions of NatureCnn.
//
// Dueling (Wang et al. 2016): the last layer gives the advantages and, as its last output, the
// state's value; Q = V + A − mean(A). Both heads share the hidden layers. Each row has the same
// bits in every batch. Not thread-safe.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/envs/VectorEnv.h"
#include "algorithms/parts/NatureCnn.h"
#include "algorithms/parts/Network.h"

namespace fdg::rl {

struct DqnOptions {
  std::vector<int64_t> hidden = {128, 128};  ///< Hidden layers, ReLU.
  double gamma = 0.99;                       ///< Discount per step.
  int64_t n_step = 1;                        ///< Rewards per transition.
  bool double_q = true;       ///< The online network chooses, the target network rates.
  bool dueling = false;       ///< State value and advantages as two heads.
  bool clip_rewards = false;  ///< Learns from the signs of rewards; returns stay what they are.
  std::string optimizer = "adam";  ///< adam, or rmsprop: centred.
  double epsilon = 1e-8;           ///< Adds to what steps are divided by.
  double rms_decay = 0.95;         ///< Of the means of rmsprop.
  double lr = 1e-3;                ///< Learning rate.
  int64_t lr_decay = 0;            ///< Updates until the rate has fallen to 1 % of it; 0: constant.
  double grad_clip = 10;           ///< Largest global norm of a gradient; 0: any.
  int64_t target_every = 1;        ///< Updates between two moves of the target network.
  double target_rate = 0.005;      ///< How far it moves to the online network: 1 copies it.
  double explore_start = 1.0;      ///< ε at the first step.
  double explore_end = 0.05;       ///< ε from explore_steps on.
  int64_t explore_steps = 5'000;   ///< Steps of the program over which ε falls.
  bool explore_ladder = false;     ///< Row i of N explores with 0.4^(1 + 7i/(N − 1)) instead.
};

/// Throws UserError that names the field, for what is out of range.
void check(const DqnOptions& options);

/// "q relu 4 128 128 2" or "dueling relu 4 128 128 3"; of images "image nature 4 84 84; q relu 3136
/// 512 6". Throws UserError for continuous actions, and images that NatureCnn does not take.
NetworkLayout qLayout(const EnvSpec& spec, const DqnOptions& options);

class QNetwork {
 public:
  explicit QNetwork(const NetworkLayout& layout);

  int64_t actions() const {
    return dueling_ ? pass_.shape().outputs() - 1 : pass_.shape().outputs();
  }
  /// Observations as the other functions take them: float32, or uint8 if they are images;
  /// contiguous, on the CPU. Throws UserError for rows of another size or images of another type.
  torch::Tensor plain(const torch::Tensor& observation) const;
  /// [rows, …] → [rows, actions]; valid until the next call.
  std::span<const float> forward(const float* parameters, const torch::Tensor& observation);
  /// After forward on the same rows: gradient of all parameters from the derivative by Q [rows,
  /// actions].
  void backward(const float* parameters, const torch::Tensor& observation,
                std::span<const float> d_q, float* gradient);

 private:
  std::span<const float> advantages(std::span<const float> d_q);

  bool dueling_;
  std::optional<NatureCnn> images_;
  int64_t head_;  // where the parameters of the dense network begin
  MlpPass pass_;
  std::vector<float> q_;
  std::vector<float> d_output_;
  std::vector<float> d_features_;
};

/// Index of the largest of n values; the first of equal ones.
int64_t argmax(const float* values, int64_t n);
/// A tensor of float32 observations, contiguous, and a check of its row length; throws UserError.
torch::Tensor plainRows(const torch::Tensor& observation, int64_t inputs);
/// Throws UserError unless an actor has its parameters and is given its own rows.
void checkActor(const torch::Tensor& observation, Rows rows, const std::vector<float>& parameters);
/// plainRows of a checked actor.
torch::Tensor actorRows(const torch::Tensor& observation, int64_t inputs, Rows rows,
                        const std::vector<float>& parameters);
/// The same for a learner, which must be given its own rows of a batch.
torch::Tensor learnerRows(const torch::Tensor& observation, int64_t inputs, Rows rows);

}  // namespace fdg::rl
