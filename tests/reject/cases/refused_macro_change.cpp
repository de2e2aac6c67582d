// Fragments stand behind the function, where the last definition of a macro holds.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
#define FACTOR 2
  torch::Tensor obs = envs.reset() * FACTOR;
  fdg::partition(fdg::gather, obs);
#undef FACTOR  // expected-error {{the macro `FACTOR` is undefined inside the training function}}
#define FACTOR 3
  actor.act(obs, FACTOR);
}
FDG_PROGRAM(train)
