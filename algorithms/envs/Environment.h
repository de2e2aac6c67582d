// What an environment is, and how one takes part in VectorEnv: for writers of environments.
//
// An environment is a default-constructible struct for one row, without tensors or rows in it:
//
//   struct Corridor {
//     static EnvSpec spec();                             // name, shapes, actions, time limit
//     void reset(Draw& draw);                            // a new episode
//     StepResult step(int64_t action);                   // continuous: std::span<const float>
//     void observe(std::span<float> observation) const;  // fills observationSize() numbers; or
//                                                        // std::span<uint8_t>, for images
//     template <class A> void archive(A& a) { a(place); }
//   };
//   VectorEnv envs(environment<Corridor>(), run.rows(8), run.stream("env"));
//
// The time limit of the spec, the reset of ended episodes, statistics and checks of actions are
// VectorEnv's. step may take `Draw& draw` as a second argument when the dynamics are random. All
// randomness must come from `draw`: then episodes do not depend on which replica owns the row.
//
// `static constexpr bool kSpread = true;` in a struct whose step takes some µs lets several threads
// step its rows, where FDG_ENV_THREADS asks for them. Its step then must not draw; what it needs
// may be drawn by `void prepare(Draw& draw)`, which is called before each step.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "algorithms/envs/VectorEnv.h"

namespace fdg::rl {

/// Random numbers of one row.
class Draw {
 public:
  Draw(Stream& stream, int64_t row) : stream_(&stream), row_(row) {}

  /// Uniform in [low, high).
  double uniform(double low, double high) { return stream_->uniform(row_, low, high); }
  double normal() { return stream_->normal(row_); }
  /// Uniform integer in [0, n), n at least 1.
  int64_t below(int64_t n) { return n > 0 ? stream_->below(row_, n) : refuseBelow(n); }

 private:
  [[noreturn]] int64_t refuseBelow(int64_t n) const;

  Stream* stream_;
  int64_t row_;
};

struct StepResult {
  double reward = 0;
  bool terminated = false;
  bool truncated =
      false;  ///< By the environment itself; the spec's time limit is added by VectorEnv.
};

/// The actions of all rows, checked; one of the two is set.
struct Actions {
  const int64_t* discrete = nullptr;  ///< [rows]
  const float* continuous = nullptr;  ///< [rows, dimensions]
};

/// An observation's memory as the numbers that it is made of.
template <class T>
std::span<T> numbersOf(std::span<std::byte> observation) {
  return {reinterpret_cast<T*>(observation.data()), observation.size() / sizeof(T)};
}

/// The rows of one kind of environment on plain memory, numbered from 0. VectorEnv does the rest.
/// Observations are float32, or what EnvSpec::observation_type says.
class EnvRows {
 public:
  virtual ~EnvRows() = default;
  virtual void reset(int64_t row, Draw& draw, std::span<std::byte> observation) = 0;
  /// Steps every row. `results` has one entry a row, `observations` the rows' observations one
  /// after another. `first_row` is the number of row 0 in the stream.
  virtual void step(const Actions& actions, Stream& stream, int64_t first_row,
                    std::span<StepResult> results, std::span<std::byte> observations) = 0;
  /// Every field that reset and step depend on. May throw UserError.
  virtual void archive(Archive& a) = 0;
};

struct TensorKind;  // tensor/TensorKind.h

/// A kind of environment: what it is, and how rows of it are made.
struct EnvKind {
  EnvSpec spec;
  std::function<std::unique_ptr<EnvRows>(int64_t rows)> make;
  std::shared_ptr<const TensorKind> tensors{};  ///< Instead of `make`: rows that step as tensors.
};

/// The kind that a name stands for. Throws UserError naming the nearest known environment.
FDG_PURE EnvKind envKind(const std::string& name);

template <class E, class Number>
concept ObservesAs = requires(const E c, std::span<Number> out) {
  c.observe(out);
};
template <class E>
concept Observes = ObservesAs<E, float> || ObservesAs<E, uint8_t>;

template <class E>
concept Environment = Observes<E> && std::default_initializable<E> && requires(E e, Draw& draw) {
  { E::spec() } -> std::same_as<EnvSpec>;
  e.reset(draw);
};

/// The kind made of an environment struct.
template <Environment E>
FDG_PURE EnvKind environment();

}  // namespace fdg::rl

#include "algorithms/envs/RowsOf.h"
