// A type and a variable at once, inside a lambda, which stays whole.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  const auto twice = [](int64_t x) {
    struct Pair {
      int64_t a, b;
    } pair{x, x};
    return pair.a + pair.b;
  };
  actor.act(obs, twice(cfg.limit));
}
// expected-no-diagnostics
FDG_PROGRAM(train)
