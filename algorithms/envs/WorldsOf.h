// WorldsOf<W>: worlds of several agents as rows, one row per agent; for writers of such worlds.
//
// A world is a default-constructible struct in which W::spec().agents agents act at once:
//
//   struct Meeting {
//     static EnvSpec spec();   // agents = 3; what each of them sees and does
//     void reset(Draw& draw);  // a new episode of the world
//     WorldEnd step(std::span<const int64_t> actions, std::span<double> rewards);  // one per agent
//     void observe(int64_t agent, std::span<float> observation) const;
//     template <class A> void archive(A& a) { a(places); }
//   };
//   VectorEnv envs(world<Meeting>(), run.rows(worlds * spec.agents, spec.agents), …);
//
// Row w · agents + i is agent i of world w; an episode ends for all of its agents at once. Worlds
// draw from the row of their first agent. Discrete actions only.
#pragma once

#include <utility>
#include <vector>

#include "algorithms/envs/Environment.h"

namespace fdg::rl {

/// How an episode ended, if it did. The spec's time limit is added by VectorEnv.
struct WorldEnd {
  bool terminated = false;
  bool truncated = false;
};

template <class W>
concept World = std::default_initializable<W> &&
    requires(W w, const W c, Draw& draw, std::span<float> out, std::span<const int64_t> actions,
             std::span<double> rewards) {
  { W::spec() } -> std::same_as<EnvSpec>;
  w.reset(draw);
  { w.step(actions, rewards) } -> std::same_as<WorldEnd>;
  c.observe(int64_t{0}, out);
};

template <World W>
class WorldsOf final : public EnvRows {
 public:
  WorldsOf(const EnvSpec& spec, int64_t rows)
      : name_(spec.name),
        agents_(static_cast<size_t>(spec.agents)),
        size_(static_cast<size_t>(spec.observationSize())),
        worlds_(static_cast<size_t>(rows) / agents_),
        rewards_(agents_) {}

  /// All agents of a world end together and are reset in row order: the first starts it anew.
  void reset(int64_t row, Draw& draw, std::span<std::byte> observation) override {
    const size_t agent = static_cast<size_t>(row) % agents_;
    W& world = at(static_cast<int64_t>(static_cast<size_t>(row) / agents_));
    if (agent == 0) {
      world.reset(draw);
    }
    if (!std::exchange(was_seen_, true)) {
      detail::checkObserved<float>(name_, size_, [&](std::span<float> out) {
        world.observe(static_cast<int64_t>(agent), out);
      });
    }
    world.observe(static_cast<int64_t>(agent), numbersOf<float>(observation));
  }

  void step(const Actions& actions, Stream& /*stream*/, int64_t /*first_row*/,
            std::span<StepResult> results, std::span<std::byte> observations) override {
    const std::span<float> numbers = numbersOf<float>(observations);
    for (size_t w = 0; w < worlds_.size(); ++w) {
      const size_t first = w * agents_;
      const WorldEnd end = worlds_[w].step({actions.discrete + first, agents_}, rewards_);
      for (size_t i = 0; i < agents_; ++i) {
        results[first + i] = {rewards_[i], end.terminated, end.truncated};
        worlds_[w].observe(static_cast<int64_t>(i), numbers.subspan((first + i) * size_, size_));
      }
    }
  }

  void archive(Archive& a) override {
    if constexpr (requires(W w) { w.archive(a); }) {
      for (W& world : worlds_) {
        world.archive(a);
      }
    } else {
      detail::refuseSaving(name_, "its struct has no archive function");
    }
  }

  W& at(int64_t world) { return worlds_[static_cast<size_t>(world)]; }

 private:
  std::string name_;
  size_t agents_;
  size_t size_;
  std::vector<W> worlds_;
  std::vector<double> rewards_;  // of one world's agents
  bool was_seen_ = false;
};

/// The kind made of a world struct.
template <World W>
FDG_PURE EnvKind world() {
  const EnvSpec spec = W::spec();
  detail::checkKind(spec, true, false, /*takes_agents=*/true);
  return {spec, [spec](int64_t rows) { return std::make_unique<WorldsOf<W>>(spec, rows); }};
}

}  // namespace fdg::rl
