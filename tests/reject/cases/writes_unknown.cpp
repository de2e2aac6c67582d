// Nobody can say what a pointer from elsewhere points to.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

int64_t* somewhere();

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  *somewhere() = 3;  // expected-error {{cannot tell which variable this writes}}
  actor.act(obs);
}
FDG_PROGRAM(train)
