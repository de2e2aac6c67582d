// An uncut value joins both sides.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);  // expected-error {{separates nothing}}
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);  // expected-error {{this annotation of 'action' separates nothing: what makes 'action' and what uses it are both in fragment 'environment+actor'}}
    obs = envs.step(action).observation;
  }
}
FDG_PROGRAM(train)
