// while (true) with a break that one fragment decides.
#include "parts.h"

struct Config {
  int64_t limit = 15;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(2));
  parts::Actor actor;
  auto obs = env.reset();
  while (true) {
    fdg::partition(fdg::gather, obs);
    auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);
    auto outcome = env.step(action);
    obs = outcome.observation;
    if (env.time() >= cfg.limit) {
      break;
    }
    run.log("reward", outcome.reward.sum().item<int64_t>());
  }
  run.log("time", env.time());
}
FDG_PROGRAM(train)

// CHECK: choice {{.*}}: environment -> actor
