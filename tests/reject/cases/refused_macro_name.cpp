// Generated code has words of its own.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define loop while (true)  // expected-error {{the macro `loop` has a name that fdgc writes into the code}}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  while (cfg.steps > 0) {
    actor.act(obs);
    break;
  }
}
FDG_PROGRAM(train)
