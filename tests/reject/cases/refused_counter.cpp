// Copies of a statement would count on.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define NUMBER __COUNTER__

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs, __COUNTER__);  // expected-error {{gives another number in each copy}}
  actor.act(obs, NUMBER);       // expected-error {{gives another number in each copy}}
}
FDG_PROGRAM(train)
