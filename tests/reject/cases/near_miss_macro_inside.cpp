// A macro that is defined once inside, a counter in a name, a word of generated code that is gone.
// expected-no-diagnostics

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define JOIN(a, b) a##b
#define NAMED(a, b) JOIN(a, b)
#define UNIQUE NAMED(unique, __COUNTER__)
#define next 3
#undef next

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
#define FACTOR 2
  torch::Tensor obs = envs.reset() * FACTOR;
  fdg::partition(fdg::gather, obs);
  int64_t UNIQUE = FACTOR;
  actor.act(obs, FACTOR);
}
FDG_PROGRAM(train)
