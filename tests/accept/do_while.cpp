// do … while whose end one fragment decides, inside a counted loop.
#include "parts.h"

struct Config {
  int64_t rounds = 6;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(3));
  parts::Learner learner;
  auto obs = env.reset();
  for (int64_t round = 0; round < cfg.rounds; ++round) {
    int64_t inner = 0;
    do {
      fdg::partition(fdg::gather, obs);
      auto action = learner.learn(obs);
      fdg::partition(fdg::scatter, action);
      obs = env.step(action).observation;
      ++inner;
    } while (env.time() % 4 != 0);
    run.log("inner", inner);
    run.log("loss", learner.loss());
  }
}
FDG_PROGRAM(train)

// CHECK: choice {{.*}}: environment -> learner
