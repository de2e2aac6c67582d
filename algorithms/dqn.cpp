// DQN: Q-learning with a replay buffer and a target network.
//
//   Mnih et al., "Human-level control through deep reinforcement learning", Nature 518 (2015).
//   van Hasselt, Guez, Silver, "Deep reinforcement learning with double Q-learning", AAAI 2016.
//   Wang et al., "Dueling network architectures for deep reinforcement learning", ICML 2016.
//
// Details that matter:
//   1. Each iteration steps every environment once and learns `updates` times: the ratio of
//      learning to acting is the program's, not the machine's.
//   2. A truncated episode is worth the value of its final observation; only a termination is
//      worth 0.
//   3. Huber loss, gradients clipped by their global norm. The target network follows by 0.5 % each
//      update; the paper's copies are --set dqn.target_every=1000 --set dqn.target_rate=1.
//   4. Double Q-learning by default; dueling heads with --set dqn.dueling=true.
//   5. Three-step returns, and a learning rate that falls linearly: with a constant one the policy
//      found is lost again now and then.
// algorithms/dqn.md has the measured results.

#include <fdg/fdg.h>
#include <fdg/rl.h>

struct DqnConfig {
  std::string env = "CartPole-v1";  ///< Environment id.
  int64_t envs = 8;                 ///< Environments stepped together; one row each.
  int64_t steps = 20'000;           ///< Iterations of the training loop.
  int64_t updates = 2;              ///< Learner steps per iteration.
  int64_t batch = 64;               ///< Transitions per learner step.
  int64_t warmup = 1'000;           ///< Transitions stored before learning starts.
  int64_t capacity = 100'000;       ///< Transitions kept in the replay.
  int64_t sync = 1;                 ///< Iterations between two weight broadcasts.
  int64_t eval_every = 2'000;       ///< Iterations between evaluations, a multiple of sync; or 0.
  rl::DqnOptions dqn = {.n_step = 3, .lr_decay = 40'000, .explore_steps = 2'000};
};

void dqn(fdg::Run& run, const DqnConfig& cfg) {
  rl::check(run, cfg);
  const auto spec = rl::envSpec(cfg.env);
  rl::VectorEnv envs(cfg.env, run.rows(cfg.envs), run.stream("env"));
  rl::QActor actor(spec, run.rows(cfg.envs), cfg.dqn, run.stream("actor"));
  rl::NStep nstep(cfg.dqn.n_step, cfg.dqn.gamma, cfg.dqn.clip_rewards);
  rl::UniformReplay replay(spec, cfg.capacity, run.stream("replay"));
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
        auto grads = learner.gradients(batch);
        fdg::partition(fdg::reduce_mean, grads);  // learner <-> learner, when there are several
        learner.apply(grads);
      }
      run.log("loss", learner.loss());
    }
  }
  run.save("model", learner.weights());
}
FDG_PROGRAM(dqn)
