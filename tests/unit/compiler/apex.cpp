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

// CHECK: fragment environment: components envs;
// CHECK: fragment actor: components actor, nstep;
// CHECK: fragment buffer: components replay;
// CHECK: approximate: `replay` samples from its own share
// CHECK: fragment learner: components learner;
// CHECK: fragment evaluator: components evaluator;
// CHECK: boundary obs: gather environment -> actor; line 23; once
// CHECK: held
// CHECK: boundary weights: broadcast.loose learner -> actor, evaluator; line 27; in loops 9; conditional
// CHECK: drainable: no, the condition `step % cfg.eval_every == 0` at line 29 reads the loop counter `step`; send it along
// CHECK: newest-able: yes
// CHECK: boundary action: scatter actor -> environment; line 32; in loops 9
// CHECK: boundary outcome: gather environment -> actor; line 34; in loops 9
// CHECK: held
// CHECK: boundary experience: append.loose actor -> buffer; line 37; in loops 9
// CHECK: drainable: yes
// CHECK: newest-able: no, append carries rows or terms
// CHECK: boundary stored: reduce_sum buffer -> learner; line 40; in loops 9
// CHECK: the producer reads the result
// CHECK: boundary batch: scatter buffer -> learner; line 43; in loops 9; conditional
// CHECK: boundary grads: reduce_mean learner -> learner; line 45; in loops 9; conditional
// CHECK: boundary priorities: gather.loose learner -> buffer; line 48; in loops 9; conditional
// CHECK: drainable: yes
// CHECK: rate class: environment, actor; apart from the others if loosened: weights, experience
// CHECK: rate class: buffer, learner; apart from the others if loosened: weights, experience
// CHECK: rate class: evaluator; apart from the others if loosened: weights
// CHECK: 14: copied by actor, buffer, learner: const auto spec
// CHECK: 36: copied by actor: obs = outcome.observation
