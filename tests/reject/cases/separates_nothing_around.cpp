// A way around the annotation.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  if (cfg.steps > 3) {  // expected-note {{the annotation stands under this condition, and 'obs' reaches its use uncut}}
    fdg::partition(fdg::gather, obs);  // expected-error {{this annotation of 'obs' separates nothing}}
  }
  actor.act(obs);
}
FDG_PROGRAM(train)
