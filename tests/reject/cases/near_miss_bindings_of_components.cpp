// Bindings to the parts of an object that has a name; an object with methods of which only the values are taken.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct Both {
  rl::Actor actor;
  int64_t count = 0;
};

struct Counts {
  int64_t first = 1;
  int64_t second = 2;
  void grow() { ++first; }
};
Counts counts(int64_t n) {
  Counts made{n, n};
  made.grow();
  return made;
}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  Both both{rl::Actor({}, run.rows(cfg.envs), run.stream("actor")), 3};
  auto& [actor, count] = both;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    torch::Tensor obs = envs.reset();
    auto [first, second] = counts(step);
    fdg::partition(fdg::gather, obs);
    actor.act(obs);
    run.log("count", first + second);
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
