// Cloned first, assigned anew, arithmetic, moved at the last use.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  int64_t count = static_cast<int64_t>(obs.size(0));
  for (int64_t step = 0; step < cfg.steps; ++step) {
    torch::Tensor sum = torch::zeros({4});
    sum.add_(obs);
    fdg::partition(fdg::gather, sum, count);
    auto own = sum.clone();
    own.add_(own);
    count += 1;
    actor.act(own, count);
    sum = torch::zeros({4});
    sum.fill_(1);
    torch::Tensor last = std::move(own);
    actor.act(last);
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
