// The same variable annotated in both branches, made by different fragments.
#include "parts.h"

struct Config {
  int64_t steps = 14;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(3));
  parts::Actor actor;
  parts::Learner teacher;
  auto obs = env.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    fdg::partition(fdg::gather, obs);
    torch::Tensor action;
    if (step % 2 == 0) {
      action = actor.act(obs);
      fdg::partition(fdg::scatter, action);
    } else {
      action = teacher.learn(obs);
      fdg::partition(fdg::scatter, action);
    }
    auto outcome = env.step(action);
    obs = outcome.observation;
    run.log("reward", outcome.reward.sum().item<int64_t>());
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment actor: components actor;
// CHECK-DAG: fragment learner: components teacher;
