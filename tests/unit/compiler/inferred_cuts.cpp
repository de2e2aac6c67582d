// A program without annotations is cut along its components.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t warmup = 2;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  rl::NStep nstep(3);
  rl::NStep other(5);
  rl::Replay replay({}, run.stream("replay"));
  rl::Learner learner({}, run.stream("learner"));
  torch::Tensor obs = envs.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    actor.load(learner.weights());
    auto action = actor.act(obs);
    auto outcome = envs.step(action);
    auto experience = nstep.push(obs, action, outcome, actor.values());
    obs = outcome.observation;
    replay.add(experience);
    replay.add(other.push(obs, action, outcome, obs));
    int64_t stored = replay.size();
    if (stored > cfg.warmup) {
      auto batch = replay.sample(run.rows(8));
      auto grads = learner.gradients(batch);
      auto priorities = learner.apply(grads, batch);
      run.log("priority", priorities.value.size(0));
      replay.update(priorities);
    }
  }
}
FDG_PROGRAM(train)

// CHECK: 18:5: remark: several components would meet here, so fdgc takes this statement apart, as if `auto weights = learner.weights();`
// CHECK: 24:5: remark: {{.*}}`auto push = other.push(obs, action, outcome, obs);`
// CHECK: 16:3: remark: fdgc cuts here, as if `fdg::partition(fdg::gather, obs);` stood behind this statement: the value goes from 'environment' to 'actor'
// CHECK: 18:5: remark: {{.*}}`fdg::partition(fdg::broadcast, weights);`
// CHECK: 19:5: remark: {{.*}}`fdg::partition(fdg::gather, action);`{{.*}}from 'actor' to 'environment' and 'actor2'
// CHECK: 20:5: remark: {{.*}}`fdg::partition(fdg::gather, outcome);`{{.*}}to 'actor' and 'actor2'
// CHECK: 21:5: remark: {{.*}}`fdg::partition(fdg::append, experience);`
// CHECK: 24:5: remark: {{.*}}`fdg::partition(fdg::append, push);`{{.*}}from 'actor2' to 'buffer'
// CHECK: 25:5: remark: {{.*}}`fdg::partition(fdg::reduce_sum, stored);`{{.*}}between replicas
// CHECK: 27:7: remark: {{.*}}`fdg::partition(fdg::scatter, batch);`
// CHECK: 28:7: remark: {{.*}}`fdg::partition(fdg::reduce_mean, grads);`{{.*}}between replicas
// CHECK: 29:7: remark: {{.*}}`fdg::partition(fdg::gather, priorities);`{{.*}}from 'learner' to 'buffer'
// CHECK: fragment environment: components envs;
// CHECK: fragment actor: components actor, nstep;
// CHECK: fragment actor2: components other;
// CHECK: fragment buffer: components replay;
// CHECK: fragment learner: components learner;
// CHECK: boundary weights: broadcast learner -> actor; line 18
