// A pointer cannot cross.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  float* x = obs.data_ptr<float>();
  fdg::partition(fdg::gather, x);  // expected-error {{'x' cannot cross between fragments: a pointer refers to memory of one process}}
  actor.act({}, x[0]);
}
FDG_PROGRAM(train)
