// DDPG: a deterministic policy that follows the gradient of its critic; continuous actions.
//
//   Lillicrap et al., "Continuous control with deep reinforcement learning", ICLR 2016.
//   Silver et al., "Deterministic policy gradient algorithms", ICML 2014.
//
// Details that matter:
//   1. Policy and critic both have target networks, which follow by 0.5 % each update.
//   2. Exploration adds noise to the policy's actions and clips them: an Ornstein-Uhlenbeck process
//      as in the paper; --set dpg.explore_return=1 makes it Gaussian. The first steps are uniform.
//   3. The policy learns after the critics, from the same batch.
//   4. Actions reach the critic in its first layer, in the policy's range [−1, 1].
//   5. A truncated episode is worth the value of its final observation; only a termination is
//      worth 0. Pendulum-v1 never terminates.
//   6. Each iteration steps every environment once and learns `updates` times: the ratio of
//      learning to acting is the program's, not the machine's.
// Not as in the paper: no batch normalisation, no weight decay, uniform initial weights throughout.
// algorithms/ddpg.md has the measured results.

#include <fdg/fdg.h>
#include <fdg/rl.h>

struct DdpgConfig {
  std::string env = "Pendulum-v1";  ///< Environment id.
  int64_t envs = 4;                 ///< Environments stepped together; one row each.
  int64_t steps = 5'000;            ///< Iterations of the training loop.
  int64_t updates = 4;              ///< Learner steps per iteration.
  int64_t batch = 128;              ///< Transitions per learner step.
  int64_t warmup = 1'000;           ///< Transitions stored before learning starts.
  int64_t capacity = 100'000;       ///< Transitions kept in the replay.
  int64_t sync = 1;                 ///< Iterations between two weight broadcasts.
  int64_t eval_every = 500;         ///< Iterations between evaluations, a multiple of sync; or 0.
  rl::DpgOptions dpg = {.explore_noise = 0.1, .explore_return = 0.15};
};

void ddpg(fdg::Run& run, const DdpgConfig& cfg) {
  rl::check(run, cfg);
  const auto spec = rl::envSpec(cfg.env);
  rl::VectorEnv envs(cfg.env, run.rows(cfg.envs), run.stream("env"));
  rl::SquashedActor actor(spec, run.rows(cfg.envs), cfg.dpg, run.stream("actor"));
  rl::NStep nstep(cfg.dpg.n_step, cfg.dpg.gamma);
  rl::UniformReplay replay(spec, cfg.capacity, run.stream("replay"));
  rl::DpgLearner learner(spec, run.rows(cfg.batch), cfg.dpg, run.stream("learner"));
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
        auto critic = learner.criticGradients(batch);
        fdg::partition(fdg::reduce_mean, critic);  // learner <-> learner, when there are several
        learner.applyCritics(critic);
        auto policy = learner.policyGradients(batch);
        fdg::partition(fdg::reduce_mean, policy);  // learner <-> learner, when there are several
        learner.applyPolicy(policy);
        learner.moveTargets();
      }
      run.log("loss", learner.loss());
    }
  }
  run.save("model", learner.weights());
}
FDG_PROGRAM(ddpg)
