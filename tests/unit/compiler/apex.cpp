// The program of docs/language.md: five fragments, three loose boundaries.

struct ApexConfig {
  std::string env = "CartPole-v1";   ///< Environment id.
  int64_t envs = 8;                  ///< Environments stepped together; one row each.
  int64_t steps = 20'000;
  int64_t batch = 512;
  int64_t warmup = 1'000;
  int64_t sync = 16;
  int64_t eval_every = 2'000;
};

void apex(fdg::Run& run, const ApexConfig& cfg) {
  const auto spec = rl::envSpec(cfg.env);
  rl::VectorEnv envs(cfg.env, run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor(spec, run.rows(cfg.envs), run.stream("actor"));
  rl::NStep nstep(3);
  rl::Replay replay(spec, run.stream("replay"));
  rl::Learner learner(spec, run.stream("learner"));
  rl::Evaluator evaluator(cfg.env, 10, run.stream("eval"));

  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  for (int64_t step = 0; step < cfg.steps; ++step) {
    if (step % cfg.sync == 0) {
      auto weights = learner.weights();
      fdg::partition(fdg::broadcast.loose(), weights);
      actor.load(weights);
      if (step % cfg.eval_every == 0) { run.log("eval/return", evaluator.run(weights)); }
    }
    auto action = actor.act(obs, step);
    fdg::partition(fdg::scatter, action);
    auto outcome = envs.step(action);
    fdg::partition(fdg::gather, outcome);
    auto experience = nstep.push(obs, action, outcome, actor.values());
    obs = outcome.observation;
    fdg::partition(fdg::append.loose(), experience);
    replay.add(experience);
    int64_t stored = replay.size();
    fdg::partition(fdg::reduce_sum, stored);
    if (stored >= cfg.warmup) {
      auto batch = replay.sample(run.rows(cfg.batch));
      fdg::partition(fdg::scatter, batch);
      auto grads = learner.gradients(batch);
      fdg::partition(fdg::reduce_mean, grads);
      auto priorities = learner.apply(grads, batch);
      run.log("loss", learner.loss());
      fdg::partition(fdg::gather.loose(), priorities);
      replay.update(priorities);
    }
  }
  run.save("model", learner.weights());
}
FDG_PROGRAM(apex)
