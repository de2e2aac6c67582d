// Helpers that call themselves and each other, and only read.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

double sum(const torch::Tensor& t, int64_t depth) {
  return depth == 0 ? 0 : t.mean().item<double>() + sum(t, depth - 1);
}
double odd(const torch::Tensor& t, int64_t depth);
double even(const torch::Tensor& t, int64_t depth) { return depth == 0 ? 1 : odd(t, depth - 1); }
double odd(const torch::Tensor& t, int64_t depth) {
  return depth == 0 ? t.mean().item<double>() : even(t, depth - 1);
}
double powerOf(double x, int64_t n) { return n == 0 ? 1 : x * powerOf(x, n - 1); }

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  const double scale = powerOf(0.5, cfg.steps);  // pure: each fragment computes it
  run.log("sum", sum(obs, 3) + odd(obs, 2));
  actor.act(obs, scale > 0.1 ? 1 : 0);
  envs.step(torch::zeros({4}) * scale);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
