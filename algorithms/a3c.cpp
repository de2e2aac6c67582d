// A3C: asynchronous advantage actor-critic: every actor computes its own gradient, shared
// parameters take them one by one; discrete and continuous actions.
//
//   Mnih et al., "Asynchronous methods for deep reinforcement learning", ICML 2016.
//
// Details that matter:
//   1. Each environment gives a gradient of its own rollout, with the weights it acted with; each
//      gradient is a step of its own. In the sequential run those of one iteration are applied in
//      the order of the rows.
//   2. Both boundaries are loose, as in the paper. Under policy dp-f the parameters take gradients
//      as they come, and actors go on with the newest weights: a gradient is a few steps old.
//   3. One RMSProp for all actors (decay 0.99, ε 1e-5, added to the root); the learning rate falls
//      linearly to 0 over the gradients of the run; gradients are clipped to norm 0.5.
//   4. Actor and critic are separate networks, initialised orthogonally (gain √2; the last
//      layer 0.01 for the policy, 1 for the value).
//   5. n-step returns as in the paper. A truncated episode is worth the value of its final
//      observation; only a termination is worth 0.
// algorithms/a3c.md has the measured results.

#include <fdg/fdg.h>
#include <fdg/rl.h>

struct A3cConfig {
  std::string env = "CartPole-v1";  ///< Environment id.
  int64_t envs = 8;                 ///< Environments, each with its own gradients; one row each.
  int64_t iterations = 2'000;       ///< Rollouts of every environment.
  int64_t horizon = 32;             ///< Steps per rollout.
  int64_t eval_every = 100;         ///< Iterations between two evaluations; 0: none.
  rl::A2cOptions a2c = {.lr = 2e-3};
};

void a3c(fdg::Run& run, const A3cConfig& cfg) {
  rl::check(run, cfg);
  const auto spec = rl::envSpec(cfg.env);
  rl::VectorEnv envs(cfg.env, run.rows(cfg.envs), run.stream("env"));
  rl::RolloutActor actor(spec, run.rows(cfg.envs), cfg.horizon, rl::actorCritic(spec, cfg.a2c),
                         run.stream("actor"));
  rl::A3cWorker worker(spec, cfg.a2c);
  rl::A3cParameters parameters(spec, cfg.iterations * cfg.envs, cfg.a2c, run.stream("parameters"));
  rl::Evaluator evaluator(cfg.env, 10, run.stream("eval"));

  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);  // environment -> actor
  for (int64_t iteration = 0; iteration < cfg.iterations; ++iteration) {
    auto weights = parameters.weights();
    fdg::partition(fdg::broadcast.loose(),
                   weights);  // parameters -> actor, evaluator; may be stale
    actor.load(weights);
    if (cfg.eval_every > 0 && iteration % cfg.eval_every == 0) {
      run.log("eval/return", evaluator.run(weights));
      if (evaluator.isBest()) {
        run.save("best", evaluator.best());
      }
    }
    for (int64_t t = 0; t < cfg.horizon; ++t) {
      auto action = actor.act(obs);
      fdg::partition(fdg::scatter, action);  // actor -> environment
      auto outcome = envs.step(action);
      run.log("train/return", envs.finishedReturns());
      fdg::partition(fdg::gather, outcome);  // environment -> actor
      actor.record(outcome);
      obs = outcome.observation;
    }
    auto rollout = actor.rollout(obs);
    auto grads = worker.gradients(weights, rollout);
    fdg::partition(fdg::gather.loose(), grads);  // actor -> parameters: [rows, parameters]
    parameters.apply(grads);
    run.log("loss", parameters.loss());
  }
  run.save("model", parameters.weights());
}
FDG_PROGRAM(a3c)
