// The best values are saved whenever there are better ones, the last ones in every round, and one name by two
// fragments: what the program saved last stays.
// POLICY: dp-a
#include "parts.h"

struct Config {
  int64_t rows = 6;
  int64_t rounds = 14;
};

void train(fdg::Run& run, const Config& cfg) {
  fdg::Rows rows = run.rows(cfg.rows);
  parts::Environment environment(rows);
  parts::Actor actor;
  parts::Buffer buffer;
  parts::Learner learner;
  torch::Tensor observation = environment.reset();
  int64_t best = -1;
  for (int64_t round = 0; round < cfg.rounds; ++round) {
    fdg::partition(fdg::gather, observation);
    auto action = actor.act(observation);
    fdg::partition(fdg::scatter, action);
    auto outcome = environment.step(action);
    parts::Experience experience{observation, action, outcome.reward};
    observation = outcome.observation;
    fdg::partition(fdg::gather, experience);
    buffer.add(experience);
    auto batch = buffer.sample(3);
    run.save("shared", batch);
    fdg::partition(fdg::gather, batch);
    auto result = learner.learn(batch);
    const int64_t score = result.sum().item<int64_t>() % 23;
    if (score > best) {
      best = score;
      run.save("best", result);
      run.log("best", best);
    }
    run.save("last", result);
    run.save("shared", result);
  }
}
FDG_PROGRAM(train)
