// A program without annotations: where it could be cut along its components.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  rl::Learner learner({}, run.stream("learner"));
  torch::Tensor obs = envs.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto weights = learner.weights();
    actor.load(weights);
    auto action = actor.act(obs);
    auto outcome = envs.step(action);
    obs = outcome.observation;
    auto grads = learner.gradients({obs, outcome.reward, action});
    auto priorities = learner.apply(grads, {});
    run.log("priority", priorities.value.size(0));
  }
}
FDG_PROGRAM(train)

// CHECK: 12:3: remark: {{.*}}`fdg::partition(fdg::gather, obs);` belongs behind this statement
// CHECK: 14:5: remark: {{.*}}`fdg::partition(fdg::broadcast, weights);`
// CHECK: 16:5: remark: {{.*}}`fdg::partition(fdg::gather, action);`
// CHECK: 17:5: remark: {{.*}}`fdg::partition(fdg::gather, outcome);`
// CHECK: 19:5: remark: {{.*}}`fdg::partition(fdg::reduce_mean, grads);`
// CHECK-NOT: priorities
// CHECK: fragment environment+actor+learner: components envs, actor, learner
