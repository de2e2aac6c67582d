// A view cannot cross.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  std::vector<int> numbers = {1};
  std::span<int> x(numbers);
  envs.reset();
  fdg::partition(fdg::gather, x);  // expected-error {{refers to memory that something else owns}}
  actor.act({}, x[0]);
}
FDG_PROGRAM(train)
