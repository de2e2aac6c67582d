// VectorEnv: environments stepped together, one row each.
//
// An ended episode is reset in the same step: `observation` is then the first of the next episode,
// and `final_observation` the last of the ended one. Termination and truncation are told apart;
// both are true when an episode terminates in its last allowed step. Row r draws from row r of the
// stream, so its episodes are the same whichever replica steps it.
//
// In a world of several agents each agent is a row, and a world's rows stay together:
// run.rows(worlds * spec.agents, spec.agents).
//
// Refuses, as UserError: an unknown name, rows that cut a world, actions of another dtype or shape,
// an action outside the allowed ones (naming the row), stepping before reset.
// Not thread-safe; every result is independent of the number of threads. Tensors are the caller's
// alone (TensorPool.h), and on the device given (run.device()); only "tensor:" environments step
// there, all others on the CPU. Cost: 0.2 µs a step and what the environments take (CartPole: 50 ns
// a row).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fdg/archive.h"
#include "fdg/fdg.h"

namespace fdg::rl {

struct EnvKind;  // Environment.h: how a user's own environment takes part

/// What a policy must know of an environment.
struct EnvSpec {
  std::string name;
  std::vector<int64_t> observation_shape{};  ///< Without the row dimension: {4} for CartPole.
  bool discrete = true;
  int64_t actions = 0;                ///< Number of discrete actions, or action dimensions.
  std::vector<double> low{}, high{};  ///< Continuous: bounds per dimension.
  int64_t time_limit = 0;             ///< Steps until truncation, 0: none.
  int64_t agents = 1;                 ///< That act at once in one world; each is a row of its own.
  torch::ScalarType observation_type = torch::kFloat32;  ///< Or kByte, for images.

  int64_t observationSize() const;
  /// Bytes in three dimensions. Networks take images that are [channels, height, width].
  bool isImage() const { return observation_type == torch::kByte && observation_shape.size() == 3; }
  /// "4 × 84 × 84"
  std::string shapeText() const;
};

/// "CartPole-v1", "Pendulum-v1", …, "tensor:CartPole-v1" for one that steps as tensors, or
/// "gym:NAME" for any Gymnasium environment.
/// Throws UserError naming the nearest known environment.
FDG_PURE EnvSpec envSpec(const std::string& name);

/// One step of all rows. Tensors lead with rows; observations are float32, or uint8 if the spec
/// says so.
struct Outcome {
  torch::Tensor observation;        ///< [rows, …] to act on next.
  torch::Tensor final_observation;  ///< [rows, …] reached by this step; differs where one ended.
  torch::Tensor reward;             ///< [rows] float32.
  torch::Tensor terminated;         ///< [rows] bool.
  torch::Tensor truncated;          ///< [rows] bool.
};

class FDG_ROLE("environment") VectorEnv {
 public:
  VectorEnv(const std::string& name, Rows rows, Stream stream);
  VectorEnv(const std::string& name, Rows rows, Stream stream, torch::Device device);
  /// Of a user's own kind: `VectorEnv envs(environment<Corridor>(), …)`.
  VectorEnv(const EnvKind& kind, Rows rows, Stream stream);
  VectorEnv(const EnvKind& kind, Rows rows, Stream stream, torch::Device device);
  ~VectorEnv();
  VectorEnv(VectorEnv&&) noexcept;

  /// First observations, [rows, …]. Starts a new episode in every row.
  torch::Tensor reset();
  /// Discrete environments take [rows] int64, continuous ones [rows, dimensions] float32.
  Outcome step(const torch::Tensor& action);
  /// Mean return of the episodes that ended in the last step; the weight is their number.
  Weighted<double> finishedReturns() const;
  Weighted<double> finishedLengths() const;

  /// Saves or restores everything that later steps depend on. Throws UserError for gym:
  /// environments, whose state Python does not give away, and for a state of another environment or
  /// other rows.
  void archive(Archive& a);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fdg::rl
