// RowsOf<E>: an environment struct in as many copies as there are rows, stepped in one plain loop,
// or by several threads (RowThreads) if E::kSpread says that a step costs enough.
//
// Refuses at compile time a struct whose step fits neither kind of action, and one that draws while
// threads step it. Included by Environment.h.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/envs/Environment.h"
#include "algorithms/envs/RowThreads.h"
#include "algorithms/envs/SpecCheck.h"

namespace fdg::rl {

namespace detail {
template <class E, class Action>
concept DrawsBy = requires(E e, Action a, Draw& draw) {
  e.step(a, draw);
};

template <class E, class Action>
concept StepsBy = DrawsBy<E, Action> || requires(E e, Action a) {
  e.step(a);
};
}  // namespace detail

template <Environment E>
class RowsOf final : public EnvRows {
 public:
  using Number = std::conditional_t<ObservesAs<E, float>, float, uint8_t>;
  static constexpr bool kDiscrete = detail::StepsBy<E, int64_t>;
  static_assert(
      kDiscrete || detail::StepsBy<E, std::span<const float>>,
      "an environment needs StepResult step(int64_t) or StepResult step(std::span<const float>)");

  static constexpr bool kSpread = requires { requires E::kSpread; };
  static_assert(!kSpread ||
                    !(detail::DrawsBy<E, int64_t> || detail::DrawsBy<E, std::span<const float>>),
                "what threads step must not draw: let prepare(Draw&) draw for it");

  RowsOf(const EnvSpec& spec, int64_t rows)
      : name_(spec.name),
        environments_(static_cast<size_t>(rows)),
        size_(static_cast<size_t>(spec.observationSize())),
        dimensions_(static_cast<size_t>(spec.actions)),
        threads_(kSpread ? environmentThreads() : 1) {}

  void reset(int64_t row, Draw& draw, std::span<std::byte> observation) override {
    at(row).reset(draw);
    if (!std::exchange(was_seen_, true)) {
      detail::checkObserved<Number>(name_, size_, [&](auto out) { at(row).observe(out); });
    }
    at(row).observe(numbersOf<Number>(observation));
  }

  void step(const Actions& actions, Stream& stream, int64_t first_row,
            std::span<StepResult> results, std::span<std::byte> observations) override {
    if constexpr (requires(E e, Draw & draw) { e.prepare(draw); }) {
      for (size_t i = 0; i < environments_.size(); ++i) {
        Draw draw(stream, first_row + static_cast<int64_t>(i));
        environments_[i].prepare(draw);
      }
    }
    const auto step_rows = [&](size_t /*thread*/, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        Draw draw(stream, first_row + static_cast<int64_t>(i));
        results[i] = stepOne(environments_[i], actionOf(actions, i), draw);
        environments_[i].observe(numbersOf<Number>(observations).subspan(i * size_, size_));
      }
    };
    threads_.each(environments_.size(), std::ref(step_rows));
  }

  void archive(Archive& a) override {
    if constexpr (requires(E e) { e.archive(a); }) {
      for (E& environment : environments_) {
        environment.archive(a);
      }
    } else {
      detail::refuseSaving(name_, "its struct has no archive function");
    }
  }

  E& at(int64_t row) { return environments_[static_cast<size_t>(row)]; }

 private:
  auto actionOf(const Actions& actions, size_t i) const {
    if constexpr (kDiscrete) {
      return actions.discrete[i];
    } else {
      return std::span(actions.continuous + i * dimensions_, dimensions_);
    }
  }

  template <class Action>
  static StepResult stepOne(E& environment, Action action, Draw& draw) {
    if constexpr (requires { environment.step(action, draw); }) {
      return environment.step(action, draw);
    } else {
      return environment.step(action);
    }
  }

  std::string name_;
  std::vector<E> environments_;
  size_t size_, dimensions_;
  RowThreads threads_;
  bool was_seen_ = false;
};

template <Environment E>
EnvKind environment() {
  const EnvSpec spec = E::spec();
  detail::checkKind(spec, RowsOf<E>::kDiscrete, !ObservesAs<E, float>);
  return {spec, [spec](int64_t rows) { return std::make_unique<RowsOf<E>>(spec, rows); }};
}

}  // namespace fdg::rl
