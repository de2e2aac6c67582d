// DQN on an environment of one's own: algorithms/dqn.cpp in short, with Courier in it.
//
//   fdgc courier.cpp -o courier.plan && fdg-run courier.plan
// or plainly, without fdgc: any C++20 compiler, linked with libfdg_rl and libfdg.
#include "Courier.h"

#include <fdg/fdg.h>
#include <fdg/rl.h>

struct CourierConfig {
  int64_t envs = 8;          ///< Yards walked at the same time; one row each.
  int64_t steps = 2'500;     ///< Iterations of the training loop.
  int64_t batch = 64;        ///< Transitions per learner step.
  int64_t warmup = 500;      ///< Transitions stored before learning starts.
  int64_t eval_every = 250;  ///< Iterations between two evaluations; 0: none.
  rl::DqnOptions dqn = {.gamma = 0.95, .target_rate = 0.02, .explore_steps = 1'000};
};

void courier(fdg::Run& run, const CourierConfig& cfg) {
  rl::check(run, cfg);
  const auto spec = Courier::spec();
  // The kind stands instead of an environment's name.
  rl::VectorEnv envs(rl::environment<Courier>(), run.rows(cfg.envs), run.stream("env"));
  rl::QActor actor(spec, run.rows(cfg.envs), cfg.dqn, run.stream("actor"));
  rl::NStep nstep(cfg.dqn.n_step, cfg.dqn.gamma);
  rl::UniformReplay replay(spec, 20'000, run.stream("replay"));
  rl::DqnLearner learner(spec, cfg.dqn, run.stream("learner"));
  rl::Evaluator evaluator(rl::environment<Courier>(), 10, run.stream("eval"));

  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);  // environment -> actor
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto weights = learner.weights();
    fdg::partition(fdg::broadcast.loose(), weights);  // learner -> actor, evaluator
    actor.load(weights);
    if (cfg.eval_every > 0 && step % cfg.eval_every == 0) {
      run.log("eval/return", evaluator.run(weights));
    }
    auto action = actor.act(obs, step);
    fdg::partition(fdg::scatter, action);  // actor -> environment
    auto outcome = envs.step(action);
    run.log("train/return", envs.finishedReturns());
    fdg::partition(fdg::gather, outcome);  // environment -> actor
    auto experience = nstep.push(obs, action, outcome);
    obs = outcome.observation;
    fdg::partition(fdg::append.loose(), experience);  // actor -> buffer
    replay.add(experience);
    int64_t stored = replay.size();
    fdg::partition(fdg::reduce_sum, stored);  // buffer -> learner
    if (stored >= cfg.warmup) {
      auto batch = replay.sample(run.rows(cfg.batch));
      fdg::partition(fdg::scatter, batch);  // buffer -> learner
      auto grads = learner.gradients(batch);
      fdg::partition(fdg::reduce_mean, grads);  // learner <-> learner, when there are several
      learner.apply(grads);
    }
  }
  run.save("model", learner.weights());
}
FDG_PROGRAM(courier);
