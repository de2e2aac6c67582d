// check(run, cfg) → nothing, or the sentence about the first field of a program's config that makes
// no sense, alone or together with others; thrown as UserError.
//
// Groups of options (cfg.dqn, …) are asked by the `check` beside their struct. The config's own
// fields are known by their names, those of RunSizes and `replay`; a config may have any of them,
// and others, which nothing is asked of. What learns nothing but may be meant (a short run to try)
// is told by one line to stderr, by the replica that has row 0.
#pragma once

#include <optional>

#include "algorithms/parts/A2cOptions.h"
#include "algorithms/parts/ContinuousOptions.h"
#include "algorithms/parts/PpoOptions.h"
#include "algorithms/parts/QNetwork.h"
#include "algorithms/parts/ReplayOptions.h"

namespace fdg::rl {

/// The fields of configs that say how long and how much a run learns.
struct RunSizes {
  using Size = std::optional<int64_t>;
  Size envs, worlds, steps, iterations, horizon, epochs, minibatches, updates, policy_delay;
  Size batch, warmup, capacity, sync, eval_every;
  Size n_step;  ///< Of a group of options.
  const ReplayOptions* replay = nullptr;  ///< Instead of a capacity.
};

void check(const Run& run, const RunSizes& sizes);

template <class Config>
RunSizes sizesOf(const Config& cfg) {
  RunSizes sizes;
  if constexpr (requires { cfg.envs; }) {
    sizes.envs = cfg.envs;
  }
  if constexpr (requires { cfg.worlds; }) {
    sizes.worlds = cfg.worlds;
  }
  if constexpr (requires { cfg.steps; }) {
    sizes.steps = cfg.steps;
  }
  if constexpr (requires { cfg.iterations; }) {
    sizes.iterations = cfg.iterations;
  }
  if constexpr (requires { cfg.horizon; }) {
    sizes.horizon = cfg.horizon;
  }
  if constexpr (requires { cfg.epochs; }) {
    sizes.epochs = cfg.epochs;
  }
  if constexpr (requires { cfg.minibatches; }) {
    sizes.minibatches = cfg.minibatches;
  }
  if constexpr (requires { cfg.updates; }) {
    sizes.updates = cfg.updates;
  }
  if constexpr (requires { cfg.policy_delay; }) {
    sizes.policy_delay = cfg.policy_delay;
  }
  if constexpr (requires { cfg.batch; }) {
    sizes.batch = cfg.batch;
  }
  if constexpr (requires { cfg.warmup; }) {
    sizes.warmup = cfg.warmup;
  }
  if constexpr (requires { cfg.capacity; }) {
    sizes.capacity = cfg.capacity;
  }
  if constexpr (requires { cfg.sync; }) {
    sizes.sync = cfg.sync;
  }
  if constexpr (requires { cfg.eval_every; }) {
    sizes.eval_every = cfg.eval_every;
  }
  if constexpr (requires { cfg.replay.soft_limit; }) {
    sizes.replay = &cfg.replay;
  }
  value::forEachField(cfg, [&](const auto& field) {
    if constexpr (requires { field.n_step; }) {
      sizes.n_step = field.n_step;
    }
  });
  return sizes;
}

template <class Config>
void check(const Run& run, const Config& cfg) {
  value::forEachField(cfg, [](const auto& field) {
    if constexpr (requires { check(field); }) {
      check(field);
    }
  });
  check(run, sizesOf(cfg));
}

}  // namespace fdg::rl
