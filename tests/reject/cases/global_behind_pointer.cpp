// A global that one fragment reaches through another one.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

int64_t taken = 0;
int64_t* const place = &taken;

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  envs.step(obs * static_cast<double>(++*place));
  fdg::partition(fdg::gather, obs);
  actor.act(obs, taken);  // expected-error {{'taken' outlives the training function}}
}
FDG_PROGRAM(train)
