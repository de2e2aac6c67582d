// MAPPO: PPO for the agents of a world, with critics that see what all of them see.
//
//   Yu et al., "The surprising effectiveness of PPO in cooperative multi-agent games", NeurIPS
//   2022.
//   Lowe et al., "Multi-agent actor-critic for mixed cooperative-competitive environments", NIPS
//   2017.
//
// Details that matter:
//   1. Agents are rows: agent i of world w is row w · agents + i. Blocks keep a world's rows on one
//      replica, so that the critics have the observations of all agents at hand.
//   2. An actor sees its agent's observation; a critic sees those of all, its own agent's first.
//   3. Each agent has an actor and a critic of its own, slices of one stacked buffer that moves as
//      one message; or all share theirs (--set separate=false).
//   4. Minibatches are dealt by world and time, with all agents in each; advantages are normalised
//      over all agents together.
//   5. Everything else is PPO: see ppo.cpp. A time limit is worth the value of what comes after it.
// Weights go out at the top of the iteration that uses them; nothing is loose: MAPPO is on-policy.
// algorithms/mappo.md has the measured results.

#include <fdg/fdg.h>
#include <fdg/rl.h>

struct MappoConfig {
  std::string env = "simple_spread";  ///< Environment id; one with several agents.
  int64_t worlds = 32;                ///< Worlds stepped together; one row for each agent.
  int64_t iterations = 600;           ///< Rollouts to learn from.
  int64_t horizon = 25;               ///< Steps per rollout and world.
  int64_t epochs = 10;                ///< Passes over each rollout.
  int64_t minibatches = 8;            ///< Learner steps per pass.
  int64_t eval_every = 60;            ///< Iterations between two evaluations; 0: none.
  bool separate = true;               ///< Networks for each agent; else all agents share theirs.
  rl::PpoOptions ppo = {.gamma = 0.95, .lr = 1e-3};
};

void mappo(fdg::Run& run, const MappoConfig& cfg) {
  rl::check(run, cfg);
  const auto spec = rl::envSpec(cfg.env);
  const auto networks = rl::centralCritic(spec, cfg.ppo.hidden, cfg.separate, cfg.ppo.activation);
  const int64_t rows = cfg.worlds * spec.agents;
  rl::VectorEnv envs(cfg.env, run.rows(rows, spec.agents), run.stream("env"));
  rl::RolloutActor actor(spec, run.rows(rows, spec.agents), cfg.horizon, networks,
                         run.stream("actor"));
  rl::PpoLearner learner(spec, run.rows(rows, spec.agents), cfg.minibatches, networks, cfg.ppo,
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
FDG_PROGRAM(mappo)
