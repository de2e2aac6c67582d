// A reduction between replicas of one fragment is fine.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::Replay replay({}, run.stream("replay"));
  rl::Learner learner({}, run.stream("learner"));
  auto batch = replay.sample(run.rows(8));
  fdg::partition(fdg::scatter, batch);
  auto grads = learner.gradients(batch);
  fdg::partition(fdg::reduce_mean, grads);
  learner.apply(grads, batch);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
