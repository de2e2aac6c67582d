// The type needs a name.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  struct {
    torch::Tensor value;
  } x;
  x.value = envs.reset();
  fdg::partition(fdg::gather, x);  // expected-error {{its type has no name}}
  actor.act(x.value);
}
FDG_PROGRAM(train)
