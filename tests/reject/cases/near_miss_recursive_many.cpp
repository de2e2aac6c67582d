// Two dozen functions that all lead to each other: looking into them takes no longer than into as many others.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

template <int I>
double mean(const torch::Tensor& t, int64_t depth) {
  return depth == 0 ? t.mean().item<double>()
                    : mean<(I + 1) % 24>(t, depth - 1) + mean<(I + 5) % 24>(t, depth - 1) +
                          mean<(I + 11) % 24>(t, depth - 1);
}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  run.log("mean", mean<0>(obs, 3));
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
