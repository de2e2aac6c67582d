// The reason names the field.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  struct Pair {
    torch::Tensor value;
    int* where = nullptr;
  };
  Pair x{envs.reset(), nullptr};
  fdg::partition(fdg::gather, x);  // expected-error {{its field `where`: a pointer refers to memory of one process}}
  actor.act(x.value);
}
FDG_PROGRAM(train)
