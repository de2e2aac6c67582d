// A macro of several statements.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define CROSS(x) x = x.clone(); fdg::partition(fdg::gather, x)

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  CROSS(obs);  // expected-error {{this macro makes a boundary together with other statements}}
  actor.act(obs);
}
FDG_PROGRAM(train)
