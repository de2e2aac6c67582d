// Named and not annotated: one fragment, as the user wants.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  rl::Learner learner({}, run.stream("learner"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  auto grads = learner.gradients({obs, obs, obs});
  fdg::partition(fdg::reduce_mean, grads);
  learner.apply(grads, {});
  auto weights = learner.weights();
  actor.load(weights);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
