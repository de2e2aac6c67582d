// Drain blocks with loops, jumps, declarations and lambdas of their own, with what was made in front of the
// loops; run in order and compared, and drained.
#include "parts.h"

struct Config {
  int64_t steps = 40;
  int64_t scale = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(3));
  parts::Buffer buffer;
  parts::Learner learner;
  const int64_t twice = cfg.scale * 2;
  const int64_t first = buffer.size() + 1;
  const auto put = [&](const torch::Tensor& t) {
    if (t.size(0) > twice) {
      return;
    }
    buffer.add({t, t * twice, t});
  };
  auto obs = env.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto outcome = env.step(obs);
    obs = outcome.observation;
    parts::Experience experience{obs, outcome.reward, outcome.reward};
    fdg::partition(fdg::append.loose(), experience);
    const auto& [observation, action, reward] = experience;
    int64_t kept = 0;
    int64_t seen;
    seen = reward.size(0);
    for (int64_t i = 0; i < observation.size(0); ++i) {
      const auto row = observation[i].item<int64_t>();
      switch (row % 3) {
        case 0:
          continue;
        case 1:
          put(observation + row);
          break;
        default:
          if (row > 70) {
            break;
          }
          ++kept;
      }
      if (kept > 2) {
        break;
      }
    }
    put(action * kept + first);
    run.log("kept", kept + seen);
    auto batch = buffer.sample(2);
    fdg::partition(fdg::broadcast, batch);
    learner.learn(batch);
    if (step % 4 == 0) {
      auto marks = learner.learn(batch);
      fdg::partition(fdg::gather.loose(), marks);
      using Marks = torch::Tensor;
      const Marks half = marks / 2;
      buffer.mark(half);
    }
  }
  run.log("loss", learner.loss());
}
FDG_PROGRAM(train)

// CHECK-DAG: boundary experience: append.loose environment -> buffer
// CHECK-DAG: drainable: yes
// RUNS: drain_blocks.yaml
