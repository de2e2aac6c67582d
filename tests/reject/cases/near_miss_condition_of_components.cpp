// A condition that uses a component differs between replicas, whatever it is written as.

struct Config {
  int64_t steps = 10;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(4), run.stream("env"));
  rl::Actor actor({}, run.rows(4), run.stream("actor"));
  const auto ask = [&] { return envs.step({}).observation.is_nonzero(); };
  for (int64_t step = 0; step < cfg.steps; ++step) {
    if (const int64_t seen = envs.step({}).observation.is_nonzero() ? 1 : 0) {
      int64_t one = seen;
      fdg::partition(fdg::reduce_sum, one);
      actor.act({}, one);
    }
    while (ask()) {
      int64_t two = step;
      if (envs.step({}).observation.is_nonzero()) {
        two = 3;
      }
      fdg::partition(fdg::reduce_sum, two);
      actor.act({}, two);
    }
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
