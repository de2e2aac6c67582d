// A global of two fragments.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

int steps_done = 0;

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  envs.step(obs * steps_done);
  fdg::partition(fdg::gather, obs);
  actor.act(obs, steps_done++);  // expected-error {{'steps_done' outlives the training function and is used by the fragments 'environment' and 'actor'}}
}
FDG_PROGRAM(train)
