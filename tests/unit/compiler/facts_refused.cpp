// Loose boundaries whose consumers do more than a drain block or a newest value allows: each reason names
// the line and the way out.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  rl::Replay replay({}, run.stream("replay"));
  rl::Learner learner({}, run.stream("learner"));
  int64_t offset = run.rows(cfg.envs).begin;
  while (true) {
    auto outcome = envs.step({});
    fdg::partition(fdg::gather.loose(), outcome);
    auto kept = actor.act(outcome.observation);
    actor.act(kept, offset);
    if (outcome.done.any().item<bool>()) {
      break;
    }
    rl::Experience experience{kept, kept, kept};
    fdg::partition(fdg::append.loose(), experience);
    auto batch = replay.sample(run.rows(8));
    replay.add(experience);
    auto index = batch.index;
    fdg::partition(fdg::scatter.loose(), index);
    auto weights = learner.weights();
    learner.apply({}, {index, index, index});
    fdg::partition(fdg::broadcast.loose(), weights);
    auto copy = weights;
    replay.update({weights.tensors[0], batch.index});
  }
}
FDG_PROGRAM(train)

// CHECK: fragment actor
// CHECK-NEXT: replicable: no, replicas could disagree on `outcome.done.any().item<bool>()` at line 20, which decides about the boundary
// CHECK-NEXT: fusable: no, `int64_t offset = run.rows(cfg.envs).begin;` at line 14 reads where its rows lie
// CHECK: boundary outcome: gather.loose environment -> {{.*}}actor
// CHECK: drainable: no, `break` at line 21 stands among the statements that use `outcome`
// CHECK: boundary experience: append.loose actor -> buffer
// CHECK: drainable: no, `fdg::partition(fdg::scatter.loose(), index)` at line 28 is a boundary among the statements that use `experience`
// CHECK: boundary weights: broadcast.loose learner -> buffer
// CHECK: drainable: no, `replay.update({weights.tensors[0], batch.index})` at line 33 also reads `batch`, defined at line 25; send it along
// CHECK: newest-able: no, `replay.update({weights.tensors[0], batch.index})` at line 33 uses `weights` otherwise than as an argument marked FDG_LATEST
