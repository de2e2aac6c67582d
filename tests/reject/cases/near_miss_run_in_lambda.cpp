// A lambda that logs is not part of every fragment that logs.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  for (int64_t i = 0; i < cfg.steps; ++i) {
    torch::Tensor action = actor.act(obs);
    auto note = [&run](int64_t rows) { run.log("rows", rows); };
    note(action.size(0));
    fdg::partition(fdg::scatter, action);
    obs = envs.step(action).observation;
    fdg::partition(fdg::gather, obs);
    run.log("episodes", envs.finishedReturns());
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
