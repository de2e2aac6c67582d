// Ape-X DQN: many actors with fixed exploration feed one prioritized replay that one learner draws
// from.
//
//   Horgan et al., "Distributed prioritized experience replay", ICLR 2018.
//   Schaul et al., "Prioritized experience replay", ICLR 2016.
//
// Details that matter:
//   1. Row i of N explores with ε = 0.4^(1 + 7i/(N − 1)), fixed for the run; N = 1: 0.4.
//   2. n-step transitions have n rewards and γ^n; each carries its own discount, 0 after a
//      termination.
//   3. The actor computes first priorities from the Q-values that it acted with.
//   4. New priorities travel with the slots and their generations: those for overwritten slots are
//      dropped.
//   5. Double Q-learning, dueling heads, Huber loss with importance weights, β fixed.
//   6. Three boundaries are loose, as in the paper: weights, experience, priorities. Under an
//      asynchronous policy actors run on stale weights and the replay fills at its own pace.
// The numbers here are small, for CartPole; the paper's are algorithms/configs/apex-Atari.yaml.
// algorithms/apex.md has the measured results.

#include <fdg/fdg.h>
#include <fdg/rl.h>

struct ApexConfig {
  std::string env = "CartPole-v1";  ///< Environment id.
  int64_t envs = 8;                 ///< Environments stepped together; one row each.
  int64_t steps = 30'000;           ///< Iterations of the training loop.
  int64_t batch = 64;               ///< Transitions per learner step.
  int64_t warmup = 1'000;           ///< Transitions stored before learning starts.
  int64_t sync = 16;                ///< Iterations between two weight broadcasts.
  int64_t eval_every = 2'000;       ///< Iterations between evaluations, a multiple of sync; or 0.
  rl::ReplayOptions replay;
  rl::DqnOptions dqn = {.n_step = 3, .dueling = true, .lr_decay = 30'000, .explore_ladder = true};
};

void apex(fdg::Run& run, const ApexConfig& cfg) {
  rl::check(run, cfg);
  const auto spec = rl::envSpec(cfg.env);
  rl::VectorEnv envs(cfg.env, run.rows(cfg.envs), run.stream("env"));
  rl::QActor actor(spec, run.rows(cfg.envs), cfg.dqn, run.stream("actor"));
  rl::NStep nstep(cfg.dqn.n_step, cfg.dqn.gamma, cfg.dqn.clip_rewards);
  rl::PrioritizedReplay replay(spec, cfg.replay, run.stream("replay"));
  rl::DqnLearner learner(spec, cfg.dqn, run.stream("learner"));
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
    auto experience = nstep.push(obs, action, outcome, actor.values(outcome));
    obs = outcome.observation;
    fdg::partition(fdg::append.loose(), experience);  // actor -> buffer; any number of rows
    replay.add(experience);
    int64_t stored = replay.size();
    fdg::partition(fdg::reduce_sum, stored);  // buffer -> learner, buffer <-> buffer when several
    if (stored >= cfg.warmup) {
      auto batch = replay.sample(run.rows(cfg.batch));
      fdg::partition(fdg::scatter, batch);  // buffer -> learner
      auto grads = learner.gradients(batch);
      fdg::partition(fdg::reduce_mean, grads);  // learner <-> learner, when there are several
      auto priorities = learner.apply(grads, batch);
      run.log("loss", learner.loss());
      fdg::partition(fdg::gather.loose(), priorities);  // learner -> buffer
      replay.update(priorities);
    }
  }
  run.save("model", learner.weights());
}
FDG_PROGRAM(apex)
