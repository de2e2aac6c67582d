// Jumps that govern nothing are dropped with what stands around them.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  switch (cfg.steps) {
    case 1:
      break;
    default:
      break;
  }
  for (int64_t step = 0; step < cfg.steps; ++step) {
    actor.act(obs);
    continue;
  }
  return;
}
FDG_PROGRAM(train)

// CHECK: boundary obs: gather environment -> actor
// CHECK: 13: copied: switch (cfg.steps)
// CHECK: 15: jump: break
// CHECK: 21: jump: continue
