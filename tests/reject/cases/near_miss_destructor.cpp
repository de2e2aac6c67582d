// A destructor may do what it likes with its own object, and print.
// expected-no-diagnostics

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

struct Scope {
  std::vector<int64_t> kept;
  int64_t count = 0;
  ~Scope() {
    kept.clear();
    count = 0;
  }
};

struct Watcher {
  const int64_t& seen;
  ~Watcher() { std::printf("%d\n", static_cast<int>(seen)); }
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  int64_t seen = 0;
  const Watcher watcher{seen};
  Scope scope;
  actor.act(obs, scope.count);
}
FDG_PROGRAM(train)
