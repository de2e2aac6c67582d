// VectorEnv: environments stepped together, one row each.
//
// An ended episode is reset in the same step: `observation` is then the first of the next episode, and
// `final_observation` the last of the ended one. Termination and truncation are told apart. Row r draws
// from row r of the stream, so its episodes are the same whichever replica steps it.
// Not thread-safe; every result is independent of the number of threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fdg/fdg.h"

namespace fdg::rl {

/// What a policy must know of an environment.
struct EnvSpec {
  std::string name;
  std::vector<int64_t> observation_shape;   ///< Without the row dimension: {4} for CartPole.
  bool discrete = true;
  int64_t actions = 0;                      ///< Number of discrete actions, or action dimensions.
  std::vector<double> low, high;            ///< Continuous: bounds per dimension.
  int64_t time_limit = 0;                   ///< Steps until truncation, 0: none.

  int64_t observationSize() const;
};

/// "CartPole-v1", "Pendulum-v1", …, or "gym:NAME" for any Gymnasium environment.
/// Throws UserError naming the nearest known environment.
FDG_PURE EnvSpec envSpec(const std::string& name);

/// One step of all rows. Tensors lead with rows; observations are float32.
struct Outcome {
  torch::Tensor observation;         ///< [rows, …] to act on next.
  torch::Tensor final_observation;   ///< [rows, …] reached by this step: differs where an episode ended.
  torch::Tensor reward;              ///< [rows] float32.
  torch::Tensor terminated;          ///< [rows] bool.
  torch::Tensor truncated;           ///< [rows] bool.
};

class FDG_ROLE("environment") VectorEnv {
 public:
  VectorEnv(const std::string& name, Rows rows, Stream stream);
  ~VectorEnv();
  VectorEnv(VectorEnv&&) noexcept;

  /// First observations, [rows, …].
  torch::Tensor reset();
  /// Actions: [rows] int64 for discrete environments, [rows, dimensions] float32 for continuous ones.
  Outcome step(const torch::Tensor& action);
  /// Mean return of the episodes that ended in the last step, weighted by their number; weight 0: none.
  Weighted<double> finishedReturns() const;
  Weighted<double> finishedLengths() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fdg::rl
