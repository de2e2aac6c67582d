// Two programs in one file: each has annotations of its own.

struct Config {
  int64_t steps = 10;
};

void first(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(4), run.stream("env"));
  rl::Actor actor({}, run.rows(4), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs, cfg.steps);
}

void second(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(4), run.stream("env"));
  rl::Actor actor({}, run.rows(4), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs, cfg.steps + 1);
}
FDG_PROGRAM(first)
// expected-no-diagnostics
