// A case that falls into a boundary.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  switch (cfg.steps) {
    case 0:
      envs.reset();
    case 1:
      fdg::partition(fdg::gather, obs);  // expected-error {{falls through into this boundary}}
      break;
    default:
      break;
  }
  actor.act(obs);
}
FDG_PROGRAM(train)
