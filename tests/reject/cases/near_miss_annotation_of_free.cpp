// What decides about the value does not decide about the annotation: the value crosses, and nobody is asked.

struct Config {
  int64_t steps = 10;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(4), run.stream("env"));
  rl::Actor actor({}, run.rows(4), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  int64_t rounds = 0;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    int64_t twice = rounds * 2;
    fdg::partition(fdg::broadcast, twice);
    actor.act(obs, twice);
    if (envs.step({}).observation.is_nonzero()) {
      continue;
    }
    ++rounds;
  }
  int64_t half = 0;
  if (envs.step({}).observation.is_nonzero()) {
    half = cfg.steps / 2;
  }
  fdg::partition(fdg::broadcast, half);
  actor.act(obs, half);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
