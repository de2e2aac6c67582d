// Two components of one role in one statement.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  rl::NStep nstep(3);
  fdg::partition(fdg::gather, obs);
  torch::Tensor values = actor.values();
  nstep.push(obs, actor.act(obs), {}, values);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
