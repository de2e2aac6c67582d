// PPO: proximal policy optimisation with a clipped objective, discrete and continuous actions.
//
//   Schulman et al., "Proximal policy optimization algorithms", arXiv:1707.06347 (2017).
//   Schulman et al., "High-dimensional continuous control using generalized advantage estimation",
//   ICLR 2016.
//   Huang et al., "The 37 implementation details of proximal policy optimization", ICLR blog 2022.
//
// Details that matter:
//   1. Actor and critic are separate networks, initialised orthogonally (gain √2; the last
//      layer 0.01 for the policy, 1 for the value).
//   2. Adam with ε 1e-5; the learning rate falls linearly to 0; gradients are clipped to norm 0.5.
//   3. A truncated episode is worth the value of its final observation; only a termination is
//      worth 0.
//   4. Each epoch deals all samples anew; advantages are normalised over each minibatch.
//   5. Continuous actions: a Gaussian with one deviation per dimension that does not depend on the
//      state; learned from the action as drawn, while the environment gets it clipped.
//   6. A minibatch is drawn from the samples of all rows, wherever they lie: moments and gradients
//      are reduced, so any number of learners takes the same steps.
//   7. Where asked for, observations are scaled by their running moments, rewards by the running
//      deviation of discounted returns; new moments hold from the next rollout on.
// Weights go out at the top of the iteration that uses them; nothing is loose: PPO is on-policy.
// algorithms/ppo.md has the measured results.

#include <fdg/fdg.h>
#include <fdg/rl.h>

struct PpoConfig {
  std::string env = "CartPole-v1";  ///< Environment id.
  int64_t envs = 8;                 ///< Environments stepped together; one row each.
  int64_t iterations = 200;         ///< Rollouts to learn from.
  int64_t horizon = 128;            ///< Steps per rollout and environment.
  int64_t epochs = 4;               ///< Passes over each rollout.
  int64_t minibatches = 4;          ///< Learner steps per pass.
  int64_t eval_every = 20;          ///< Iterations between two evaluations; 0: none.
  rl::PpoOptions ppo;
};

void ppo(fdg::Run& run, const PpoConfig& cfg) {
  rl::check(run, cfg);
  const auto spec = rl::envSpec(cfg.env);
  rl::VectorEnv envs(cfg.env, run.rows(cfg.envs), run.stream("env"));
  const auto networks = rl::actorCritic(spec, cfg.ppo);
  rl::RolloutActor actor(spec, run.rows(cfg.envs), cfg.horizon, networks, run.stream("actor"));
  rl::PpoLearner learner(spec, run.rows(cfg.envs), cfg.minibatches, networks, cfg.ppo,
                         run.stream("learner"));
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
    learner.begin(rollout, static_cast<double>(iteration) / static_cast<double>(cfg.iterations));
    for (int64_t epoch = 0; epoch < cfg.epochs; ++epoch) {
      learner.shuffle();
      for (int64_t k = 0; k < cfg.minibatches; ++k) {
        auto moments = learner.moments(k);
        fdg::partition(fdg::reduce_sum, moments);  // learner <-> learner, when there are several
        auto grads = learner.gradients(k, moments);
        fdg::partition(fdg::reduce_mean, grads);  // learner <-> learner, when there are several
        learner.apply(grads);
      }
    }
    auto seen = learner.seen();
    fdg::partition(fdg::reduce_sum, seen);  // learner <-> learner, when there are several
    learner.absorb(seen);
    run.log("loss", learner.loss());
  }
  run.save("model", learner.weights());
}
FDG_PROGRAM(ppo)
