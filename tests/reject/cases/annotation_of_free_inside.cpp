// Whoever comes to the annotation knows what it stands under, and computes the value itself.

struct Config {
  int64_t steps = 10;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(4), run.stream("env"));
  rl::Actor actor({}, run.rows(4), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  int64_t rounds = 0;
  while (envs.step(obs).observation.is_nonzero()) {
    ++rounds;
    int64_t twice = rounds * 2;
    fdg::partition(fdg::broadcast, twice);  // expected-error {{'twice' depends on the configuration alone}}
    actor.act(obs, twice);
    if (envs.step(obs).observation.is_nonzero()) {
      int64_t half = cfg.steps / 2;
      fdg::partition(fdg::broadcast, half);  // expected-error {{'half' depends on the configuration alone}}
      actor.act(obs, half);
    }
  }
}
FDG_PROGRAM(train)
