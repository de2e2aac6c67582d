// A boundary in a function that has the shape of a training function, but is a helper of this one.

struct Config {
  int64_t steps = 10;
};

void collect(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(4), run.stream("env"));
  rl::Actor actor({}, run.rows(4), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);  // expected-error {{stands in another function than the training function}}
  actor.act(obs, cfg.steps);
}

void train(fdg::Run& run, const Config& cfg) { collect(run, cfg); }
FDG_PROGRAM(train)
