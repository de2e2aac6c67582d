// SquashedActor: observations → actions of a policy whose tanh keeps them within bounds, with
// exploration.
//
// A Gaussian policy (SAC, FastSAC) draws from its own distribution. A deterministic one (DDPG, TD3)
// adds noise that returns to 0 by a part of itself each step: part 1 draws it anew (Gaussian), less
// is an Ornstein-Uhlenbeck process, which goes on over the ends of episodes. Either acts uniformly
// at random at the start. Row r draws from row r of the stream; it has the same bits whichever
// replica owns it. Not thread-safe.
#pragma once

#include "algorithms/parts/ContinuousOptions.h"

namespace fdg::rl {

class FDG_ROLE("actor") SquashedActor {
 public:
  SquashedActor(const EnvSpec& spec, Rows rows, const SacOptions& options, Stream stream);
  SquashedActor(const EnvSpec& spec, Rows rows, const FastSacOptions& options, Stream stream);
  SquashedActor(const EnvSpec& spec, Rows rows, const DpgOptions& options, Stream stream);

  /// Must come before the first act. Copies.
  void load(FDG_LATEST const Weights& weights);
  /// [rows, …] → [rows, dimensions], within the environment's bounds.
  torch::Tensor act(const torch::Tensor& observation, int64_t step);

  template <class A>
  void archive(A& a) {
    a(stream_, parameters_, noise_);
  }

 private:
  /// Of a Gaussian policy.
  SquashedActor(const EnvSpec& spec, Rows rows, NetworkLayout layout, int64_t random_steps,
                Stream stream);
  /// In the policy's range, from its outputs for one row.
  float draw(const float* output, int64_t row, int64_t dimension);

  EnvSpec spec_;
  Rows rows_;
  NetworkLayout layout_;
  MlpPass policy_;
  Stream stream_;
  int64_t random_steps_;
  bool gaussian_;
  float deviation_ = 0;  // of fresh noise
  float kept_ = 0;       // part of the noise that stays
  std::vector<float> parameters_;
  std::vector<float> noise_;  // [rows, dimensions]
};

}  // namespace fdg::rl
