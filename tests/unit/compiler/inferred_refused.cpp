// Where an inferred cut runs into another rule, that rule's error is shown, and who placed the cut.

struct Config {
  int64_t steps = 10;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(8), run.stream("env"));
  rl::Actor actor({}, run.rows(8), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    obs.add_(actor.act(obs));
  }
}
FDG_PROGRAM(train)

// CHECK: 12:{{[0-9]+}}: error: this writes into 'obs' after 'obs' crossed
// CHECK: 7:6: note: fdgc placed annotations in 'train' itself, along its components
