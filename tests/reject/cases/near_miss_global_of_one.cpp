// A global of one fragment, and constants.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

int steps_done = 0;
const double kScale = 2;
constexpr int kWidth = 4;

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs * kScale, steps_done++);
  envs.step(torch::zeros({kWidth}));
}
FDG_PROGRAM(train)
// expected-no-diagnostics
