// Line numbers that a directive made up.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
#line 29
  actor.act(obs, __LINE__);  // expected-error {{a #line directive in this file gives the lines of 'train' other names}}
}
FDG_PROGRAM(train)
