// A guard in its own block, and one for all.
// expected-no-diagnostics

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  torch::NoGradGuard all;
  fdg::partition(fdg::gather, obs);
  {
    torch::NoGradGuard guard;
    actor.act(obs);
  }
}
FDG_PROGRAM(train)
