// What was inferred about statements, boundaries and fragments.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  const fdg::Rows rows = run.rows(cfg.envs);  // expected-remark {{this depends on the configuration, constants and loop counters alone, so the fragments that need it each have a copy}}
  rl::VectorEnv envs("CartPole-v1", rows, run.stream("env"));  // expected-remark {{replicas of fragment 'environment' cannot be fused into one: }}
  rl::Actor actor({}, rows, run.stream("actor"));
  rl::Replay replay({}, run.stream("replay"));  // expected-remark {{replicas of fragment 'buffer' together are not the same as one: `replay` samples from its own share}}
  rl::Learner learner({}, run.stream("learner"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);  // expected-remark {{'obs' outlives the iteration in which it is received}}
  for (int64_t step = 0; step < cfg.steps; ++step) {  // expected-remark {{this depends on the configuration}}
    auto weights = learner.weights();
    fdg::partition(fdg::broadcast.loose(), weights);  // expected-remark {{a policy may keep only the newest 'weights' here}} expected-remark {{a policy may drain this boundary of 'weights'}}
    actor.load(weights);
    auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);
    auto outcome = envs.step(action);
    if (rows.begin == 0) {
      run.log("return", envs.finishedReturns());
    }
    fdg::partition(fdg::gather, outcome);  // expected-remark {{'outcome' is different on each replica: its own share of the rows where it crosses to}}
    obs = outcome.observation;  // expected-remark {{this is computed from received values without side effects, so the fragments that need it each have a copy}}
    rl::Experience experience{obs, action, outcome.reward};
    replay.add(experience);
    auto batch = replay.sample(run.rows(4));
    fdg::partition(fdg::scatter.loose(), batch);  // expected-remark {{this boundary of 'batch' is marked loose but a policy cannot keep only its newest value: scatter carries rows}}
    auto grads = learner.gradients(batch);
    double size = learner.loss();
    fdg::partition(fdg::broadcast.loose(), size);  // expected-remark {{this boundary of 'size' is marked loose but cannot be drained}}
    run.log("x", actor.values().size(0) + size + step);
    if (rows.size() > 3) {
      learner.apply(grads, batch);  // expected-remark {{'learner' changes by 'batch', in a replica by the rows of that replica alone}}
    }
  }
}
FDG_PROGRAM(train)
