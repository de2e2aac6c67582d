// No other component uses the value.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  torch::Tensor sum = torch::zeros({4});
  for (int64_t step = 0; step < cfg.steps; ++step) {
    torch::Tensor obs = envs.reset();
    fdg::partition(fdg::broadcast, obs);  // expected-error {{are both in fragment 'environment', since no component of another fragment uses 'obs' or what is made of it}}
    sum = sum + obs;
    run.log("sum", sum.mean().item<double>());
  }
}
FDG_PROGRAM(train)
