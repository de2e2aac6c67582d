// Actor and critic are updated at different rates, by a counter and by a counter of updates.
#include "parts.h"

struct Config {
  int64_t steps = 24;
  int64_t critic_every = 2;
  int64_t actor_every = 3;
};

class FDG_ROLE("critic") Critic {
 public:
  int64_t update(const torch::Tensor& batch) {
    value_ = (value_ * 3 + batch.sum().item<int64_t>()) % 103;
    return value_;
  }

 private:
  int64_t value_ = 1;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Buffer buffer;
  Critic critic;
  parts::Learner policy;
  int64_t updates = 0;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    if (step % cfg.critic_every != 0) {
      continue;
    }
    auto batch = buffer.sample(5);
    fdg::partition(fdg::broadcast, batch);
    auto value = critic.update(batch);
    run.log("value", value);
    ++updates;
    if (updates % cfg.actor_every == 0) {
      fdg::partition(fdg::broadcast, value);
      policy.learn(batch + value);
      run.log("loss", policy.loss());
    }
  }
  run.save("policy", policy.weights());
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment critic: components critic;
// CHECK-DAG: fragment learner: components policy;
