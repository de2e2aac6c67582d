// A reference that every round binds anew, behind the boundary of the round before.

struct Config {
  int64_t steps = 10;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(4), run.stream("env"));
  rl::Actor actor({}, run.rows(4), run.stream("actor"));
  double rate = envs.finishedReturns();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    {
      auto& same = rate;
      same = same * 2 + envs.finishedReturns();
    }
    fdg::partition(fdg::broadcast, rate);
    actor.act({}, static_cast<int64_t>(rate));
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
