// And writing through a view.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  auto flat = obs.view({-1});
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
  flat.fill_(0);  // expected-error {{this writes into the storage of 'obs' through 'flat' after 'obs' crossed}}
  envs.step(flat);
}
FDG_PROGRAM(train)
