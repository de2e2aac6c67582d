// One component.

struct Config {
  int64_t steps = 10;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(8), run.stream("env"));
  for (int64_t step = 0; step < cfg.steps; ++step) {
    envs.reset();
  }
}
FDG_PROGRAM(train)

// CHECK: 7:6: remark: this program has no two components to cut between
// CHECK: fragment environment: components envs
