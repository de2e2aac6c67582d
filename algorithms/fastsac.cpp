// FastSAC: SAC for many environments stepped together, large batches and, where there are several,
// learners that share each batch; continuous actions.
//
//   Seo, Sferrazza, Chen, Shi, Duan, Abbeel, "Learning sim-to-real humanoid locomotion in 15
//   minutes", arXiv:2512.01996 (2025).
//   Haarnoja et al., "Soft actor-critic algorithms and applications", arXiv:1812.05905 (2018).
//   Bellemare, Dabney, Munos, "A distributional perspective on reinforcement learning", ICML 2017.
//
// Details that matter:
//   1. Twin critics that give a distribution over 101 values in [−20, 20] (C51). Each learns from
//   its
//      own target network; the policy follows the mean of both.
//   2. Policy and critics normalise every hidden layer (LayerNorm) before its SiLU.
//   3. AdamW with a short memory (β 0.9, 0.95); target critics follow by 12.5 % at every update.
//   4. The policy and the temperature learn at every fourth update of the critics, from the states
//   of
//      the same batch.
//   5. γ is 0.97, α starts at 0.01, the entropy's target is 0 per action dimension.
//   6. A truncated episode is worth the value of its final observation; only a termination is
//      worth 0. Pendulum-v1 never terminates.
//   7. Each iteration steps every environment once and learns `updates` times: the ratio of
//      learning to acting is the program's, not the machine's.
// Values must lie between the atoms: Pendulum-v1's rewards of −16 to 0 are scaled for that.
// algorithms/fastsac.md has the measured results.

#include <fdg/fdg.h>
#include <fdg/rl.h>

struct FastSacConfig {
  std::string env = "Pendulum-v1";  ///< Environment id.
  int64_t envs = 1'024;             ///< Environments stepped together; one row each.
  int64_t steps = 5'000;            ///< Iterations of the training loop.
  int64_t updates = 4;              ///< Learner steps per iteration.
  int64_t policy_delay = 4;         ///< Updates of the critics for one of policy and temperature.
  int64_t batch = 8'192;            ///< Transitions per learner step.
  int64_t warmup = 10'240;          ///< Transitions stored before learning starts.
  int64_t capacity = 1'048'576;     ///< Transitions kept in the replay.
  int64_t sync = 1;                 ///< Iterations between two weight broadcasts.
  int64_t eval_every = 500;         ///< Iterations between evaluations, a multiple of sync; or 0.
  rl::FastSacOptions fastsac = {.reward_scale = 0.04};
};

void fastsac(fdg::Run& run, const FastSacConfig& cfg) {
  rl::check(run, cfg);
  const auto spec = rl::envSpec(cfg.env);
  rl::VectorEnv envs(cfg.env, run.rows(cfg.envs), run.stream("env"));
  rl::SquashedActor actor(spec, run.rows(cfg.envs), cfg.fastsac, run.stream("actor"));
  rl::NStep nstep(cfg.fastsac.n_step, cfg.fastsac.gamma);
  rl::UniformReplay replay(spec, cfg.capacity, run.stream("replay"));
  rl::FastSacLearner learner(spec, run.rows(cfg.batch), cfg.fastsac, run.stream("learner"));
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
        learner.moveTargets();
        if ((step * cfg.updates + update) % cfg.policy_delay == 0) {
          auto policy = learner.policyGradients(batch);
          fdg::partition(fdg::reduce_mean, policy);  // learner <-> learner, when there are several
          learner.applyPolicy(policy);
        }
      }
      run.log("loss", learner.loss());
      run.log("temperature", learner.temperature());
    }
  }
  run.save("model", learner.weights());
  run.save("critics", learner.criticWeights());
}
FDG_PROGRAM(fastsac)
