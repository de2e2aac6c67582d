// SAC: soft actor-critic, which maximises return and entropy; continuous actions.
//
//   Haarnoja, Zhou, Abbeel, Levine, "Soft actor-critic: off-policy maximum entropy deep
//   reinforcement learning with a stochastic actor", ICML 2018.
//   Haarnoja et al., "Soft actor-critic algorithms and applications", arXiv:1812.05905 (2018).
//
// Details that matter:
//   1. Twin critics: targets and policy go by the smaller value. The target critics follow by 0.5 %
//      each update; the policy has no target network.
//   2. The policy is a Gaussian squashed by a tanh; the density of its actions has the tanh's
//      correction, computed without cancellation, in the policy's range [−1, 1].
//   3. The temperature α is learned: the entropy is steered to −1 per action dimension.
//   4. Policy and temperature learn from the states of the same batch, after the critics.
//   5. A truncated episode is worth the value of its final observation; only a termination is
//      worth 0. Pendulum-v1 never terminates.
//   6. Each iteration steps every environment once and learns `updates` times: the ratio of
//      learning to acting is the program's, not the machine's.
// algorithms/sac.md has the measured results.

#include <fdg/fdg.h>
#include <fdg/rl.h>

struct SacConfig {
  std::string env = "Pendulum-v1";  ///< Environment id.
  int64_t envs = 4;                 ///< Environments stepped together; one row each.
  int64_t steps = 5'000;            ///< Iterations of the training loop.
  int64_t updates = 4;              ///< Learner steps per iteration.
  int64_t batch = 128;              ///< Transitions per learner step.
  int64_t warmup = 1'000;           ///< Transitions stored before learning starts.
  int64_t capacity = 100'000;       ///< Transitions kept in the replay.
  int64_t sync = 1;                 ///< Iterations between two weight broadcasts.
  int64_t eval_every = 500;         ///< Iterations between evaluations, a multiple of sync; or 0.
  rl::SacOptions sac;
};

void sac(fdg::Run& run, const SacConfig& cfg) {
  rl::check(run, cfg);
  const auto spec = rl::envSpec(cfg.env);
  rl::VectorEnv envs(cfg.env, run.rows(cfg.envs), run.stream("env"));
  rl::SquashedActor actor(spec, run.rows(cfg.envs), cfg.sac, run.stream("actor"));
  rl::NStep nstep(cfg.sac.n_step, cfg.sac.gamma);
  rl::UniformReplay replay(spec, cfg.capacity, run.stream("replay"));
  rl::SacLearner learner(spec, run.rows(cfg.batch), cfg.sac, run.stream("learner"));
  rl::Evaluator evaluator(cfg.env, 10, run.stream("eval"));

  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);  // environment -> actor
  for (int64_t step = 0; step < cfg.steps; ++step) {
    if (step % cfg.sync == 0) {
      auto weights = learner.weights();
      fdg::partition(fdg::broadcast.loose(), weights);  // learner -> actor, evaluator; may be stale
      actor.load(weights);
      if (cfg.eval_every > 0 && step % cfg.eval_every == 0) {
        run.log("eval/return", evaluator.run(weights));
        if (evaluator.isBest()) {
          run.save("best", evaluator.best());
        }
      }
    }
    auto action = actor.act(obs, step);
    fdg::partition(fdg::scatter, action);  // actor -> environment
    auto outcome = envs.step(action);
    run.log("train/return", envs.finishedReturns());
    fdg::partition(fdg::gather, outcome);  // environment -> actor
    auto experience = nstep.push(obs, action, outcome);
    obs = outcome.observation;
    fdg::partition(fdg::append.loose(), experience);  // actor -> buffer; any number of rows
    replay.add(experience);
    int64_t stored = replay.size();
    fdg::partition(fdg::reduce_sum, stored);  // buffer -> learner
    if (stored >= cfg.warmup) {
      for (int64_t update = 0; update < cfg.updates; ++update) {
        auto batch = replay.sample(run.rows(cfg.batch));
        fdg::partition(fdg::scatter, batch);  // buffer -> learner
        auto critics = learner.criticGradients(batch);
        fdg::partition(fdg::reduce_mean, critics);  // learner <-> learner, when there are several
        learner.applyCritics(critics);
        auto policy = learner.policyGradients(batch);
        fdg::partition(fdg::reduce_mean, policy);  // learner <-> learner, when there are several
        learner.applyPolicy(policy);
        learner.moveTargets();
      }
      run.log("loss", learner.loss());
      run.log("temperature", learner.temperature());
    }
  }
  run.save("model", learner.weights());
}
FDG_PROGRAM(sac)
