// An actor of Q-learning with its environments, on some rows: what a worker of dqn and apex does.
#pragma once

#include "algorithms/envs/Environment.h"
#include "fdg/rl.h"

namespace fdg::rl {

struct QWorker {
  VectorEnv envs;
  QActor actor;
  NStep nstep;
  torch::Tensor obs;

  QWorker(const EnvKind& kind, Rows rows, const DqnOptions& options)
      : envs(kind, rows, Stream(1, "env")),
        actor(kind.spec, rows, options, Stream(1, "actor")),
        nstep(options.n_step, options.gamma, options.clip_rewards),
        obs(envs.reset()) {}

  Experience step(const Weights& weights, int64_t at) {
    actor.load(weights);
    const auto action = actor.act(obs, at);
    const Outcome outcome = envs.step(action);
    Experience experience = nstep.push(obs, action, outcome, actor.values(outcome));
    obs = outcome.observation;
    return experience;
  }
};

}  // namespace fdg::rl
