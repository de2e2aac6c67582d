// Rollout, epochs and minibatches: boundaries at three depths, and one loop that crosses nothing.
#include "parts.h"

struct Config {
  int64_t iterations = 4;
  int64_t horizon = 5;
  int64_t epochs = 2;
  int64_t minibatches = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(3));
  parts::Actor actor;
  parts::Learner learner;
  auto obs = env.reset();
  for (int64_t iteration = 0; iteration < cfg.iterations; ++iteration) {
    auto weights = learner.weights();
    fdg::partition(fdg::broadcast, weights);
    actor.load(weights);
    torch::Tensor total = torch::zeros({3}, torch::kInt64);
    for (int64_t t = 0; t < cfg.horizon; ++t) {
      fdg::partition(fdg::gather, obs);
      auto action = actor.act(obs);
      fdg::partition(fdg::scatter, action);
      auto outcome = env.step(action);
      obs = outcome.observation;
      auto reward = outcome.reward;
      fdg::partition(fdg::gather, reward);
      total = total + reward;
    }
    for (int64_t epoch = 0; epoch < cfg.epochs; ++epoch) {
      for (int64_t m = 0; m < cfg.minibatches; ++m) {
        int64_t factor = 1;
        for (int64_t k = 0; k < m; ++k) {
          factor *= 2;
        }
        learner.learn(total * factor + m);
        run.log("loss", learner.loss());
      }
      run.log("version", learner.version());
    }
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment environment: components env;
