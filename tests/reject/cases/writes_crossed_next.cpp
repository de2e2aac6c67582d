// The next iteration writes what crossed in this one.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor total = torch::zeros({4});
  for (int64_t step = 0; step < cfg.steps; ++step) {
    total.add_(envs.reset());  // expected-error {{this writes into 'total' after 'total' crossed}}
    fdg::partition(fdg::gather, total);
    actor.act(total);
  }
}
FDG_PROGRAM(train)
