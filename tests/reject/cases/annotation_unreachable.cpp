// Annotations to which no way leads.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);
    envs.step(action);
    continue;
    auto late = actor.act(obs);
    fdg::partition(fdg::scatter, late);  // expected-error {{no way leads to this annotation of 'late'}}
    envs.step(late);
  }
  while (true) {
    actor.act(obs);
  }
  auto last = actor.act(obs);
  fdg::partition(fdg::scatter, last);  // expected-error {{no way leads to this annotation of 'last'}}
  envs.step(last);
}
FDG_PROGRAM(train)
