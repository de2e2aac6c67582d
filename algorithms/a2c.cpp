// A2C: advantage actor-critic, all environments in step; discrete and continuous actions.
//
//   Mnih et al., "Asynchronous methods for deep reinforcement learning", ICML 2016.
//   Huang et al., "A2C is a special case of PPO", arXiv:2205.09123 (2022).
//
// Details that matter:
//   1. Each rollout is learned from once, all environments together in one gradient.
//   2. Actor and critic are separate networks, initialised orthogonally (gain √2; the last
//      layer 0.01 for the policy, 1 for the value).
//   3. RMSProp (decay 0.99, ε 1e-5, added to the root); the learning rate falls linearly to 0;
//      gradients are clipped to norm 0.5. Advantages are not normalised.
//   4. n-step returns as in the paper; --set a2c.lambda=0.95 makes them generalised advantages.
//   5. A truncated episode is worth the value of its final observation; only a termination is
//      worth 0.
// Weights go out at the top of the iteration that uses them; nothing is loose: A2C is on-policy.
// algorithms/a2c.md has the measured results.

#include <fdg/fdg.h>
#include <fdg/rl.h>

struct A2cConfig {
  std::string env = "CartPole-v1";  ///< Environment id.
  int64_t envs = 16;                ///< Environments stepped together; one row each.
  int64_t iterations = 4'000;       ///< Rollouts, and learner steps.
  int64_t horizon = 8;              ///< Steps per rollout and environment.
  int64_t eval_every = 400;         ///< Iterations between two evaluations; 0: none.
  rl::A2cOptions a2c;
};

void a2c(fdg::Run& run, const A2cConfig& cfg) {
  rl::check(run, cfg);
  const auto spec = rl::envSpec(cfg.env);
  rl::VectorEnv envs(cfg.env, run.rows(cfg.envs), run.stream("env"));
  rl::RolloutActor actor(spec, run.rows(cfg.envs), cfg.horizon, rl::actorCritic(spec, cfg.a2c),
                         run.stream("actor"));
  rl::A2cLearner learner(spec, cfg.iterations, cfg.a2c, run.stream("learner"));
  rl::Evaluator evaluator(cfg.env, 10, run.stream("eval"));

  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);  // environment -> actor
  for (int64_t iteration = 0; iteration < cfg.iterations; ++iteration) {
    auto weights = learner.weights();
    fdg::partition(fdg::broadcast, weights);  // learner -> actor, evaluator
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
    fdg::partition(fdg::gather, rollout);  // actor -> learner: [rows, time, …]
    auto grads = learner.gradients(rollout);
    fdg::partition(fdg::reduce_mean, grads);  // learner <-> learner, when there are several
    learner.apply(grads);
    run.log("loss", learner.loss());
  }
  run.save("model", learner.weights());
}
FDG_PROGRAM(a2c)
