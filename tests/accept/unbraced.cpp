// Branches and bodies without braces, annotations as the only statement of a branch, else-if chains,
// comma increments, an endless for.
#include "parts.h"

struct Config {
  int64_t steps = 18;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(2));
  parts::Learner learner;
  torch::Tensor obs = env.reset();
  torch::Tensor action = torch::zeros({2}, torch::kInt64);
  int64_t odd = 0;
  for (int64_t i = 0, j = cfg.steps; i < j; ++i, --j)
    if (i % 3 == 0)
      obs = env.step(torch::full({2}, i, torch::kInt64)).observation;
    else if (i % 3 == 1)
      ++odd;
  for (int64_t step = 0;; ++step) {
    if (step == cfg.steps) break;
    obs = env.reset();
    if (step % 2 == 0)
      fdg::partition(fdg::gather, obs);
    else
      fdg::partition(fdg::scatter, obs);
    if (learner.loss() % 2 == 1)
      action = learner.learn(obs);
    else if (step > 3)
      action = learner.learn(obs + step);
    if (step % 5 == 4) continue;
    for (int64_t k = 0; k < 2; ++k)
      for (int64_t l = 0; l < k; ++l)
        run.log("loss", learner.loss() + l);
    auto sent = action;
    fdg::partition(fdg::scatter, sent);
    env.step(sent);
  }
  run.log("odd", odd);
  run.log("time", env.time());
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment environment: components env;
// CHECK-DAG: fragment learner: components learner;
