// Boundaries inside the rollout loop, reductions in epochs × minibatches, values that outlive an iteration.

struct Config {
  int64_t iterations = 10;
  int64_t horizon = 8;
  int64_t epochs = 2;
  int64_t minibatches = 4;
  int64_t envs = 4;
};

struct Rollout {
  std::vector<torch::Tensor> observations, rewards;
};

void ppo(fdg::Run& run, const Config& cfg) {
  const auto spec = rl::envSpec("CartPole-v1");
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor(spec, run.rows(cfg.envs), run.stream("actor"));
  rl::Learner learner(spec, run.stream("learner"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  for (int64_t iteration = 0; iteration < cfg.iterations; ++iteration) {
    auto weights = learner.weights();
    fdg::partition(fdg::broadcast, weights);
    actor.load(weights);
    Rollout rollout;
    for (int64_t t = 0; t < cfg.horizon; ++t) {
      auto action = actor.act(obs, t);
      fdg::partition(fdg::scatter, action);
      auto outcome = envs.step(action);
      fdg::partition(fdg::gather, outcome);
      rollout.observations.push_back(obs);
      rollout.rewards.push_back(outcome.reward + actor.values());
      obs = outcome.observation;
    }
    fdg::partition(fdg::gather, rollout);
    for (int64_t epoch = 0; epoch < cfg.epochs; ++epoch) {
      for (int64_t k = 0; k < cfg.minibatches; ++k) {
        rl::Batch batch{rollout.observations[static_cast<size_t>(k)], rollout.rewards[static_cast<size_t>(k)], {}};
        auto grads = learner.gradients(batch);
        fdg::partition(fdg::reduce_mean, grads);
        learner.apply(grads, batch);
      }
    }
  }
  run.save("model", learner.weights());
}
FDG_PROGRAM(ppo)

// CHECK: fragment environment: components envs;
// CHECK: fragment actor: components actor;
// CHECK: fragment learner: components learner;
// CHECK: boundary obs: gather environment -> actor
// CHECK: held
// CHECK: boundary weights: broadcast learner -> actor; line 24; in loops 6
// CHECK: boundary action: scatter actor -> environment; line 29; in loops 6 13
// CHECK: boundary outcome: gather environment -> actor; line 31; in loops 6 13
// CHECK: held
// CHECK: boundary rollout: gather actor -> learner; line 36; in loops 6
// CHECK: boundary grads: reduce_mean learner -> learner; line 41; in loops 6 {{[0-9]+ [0-9]+}}
// CHECK: loop 6: line 22; up to cfg.iterations; crossed
// CHECK: rate class: environment, actor, learner
// CHECK: 26: copied by actor: Rollout rollout;
// CHECK: 32: copied by actor: rollout.observations.push_back(obs)
// CHECK: 34: copied by actor: obs = outcome.observation
// CHECK: 39: copied by learner: rl::Batch batch
