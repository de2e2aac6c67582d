// An OpenMP loop.
// flags: -fopenmp

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  double sum = 0;
  #pragma omp parallel for  // expected-error {{an OpenMP directive cannot be split}}
  for (int i = 0; i < 3; ++i) {
    sum += i;
  }
  run.log("sum", sum + envs.finishedReturns());
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
