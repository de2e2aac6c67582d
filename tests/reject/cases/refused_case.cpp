// A label inside a block of its switch.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  switch (cfg.limit) {
    case 1:
      if (cfg.steps > 3) {
        case 2:  // expected-error {{this case label stands inside a block}}
          run.log("x", envs.finishedReturns());
      }
      break;
    [[likely]] case 3:  // expected-error {{this case label stands behind an attribute}}
      break;
  }
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
