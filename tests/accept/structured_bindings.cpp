// Structured bindings on both sides of boundaries, some of them read only locally.
#include "parts.h"

struct Config {
  int64_t steps = 12;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(3));
  parts::Actor actor;
  parts::Buffer buffer;
  auto obs = env.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    fdg::partition(fdg::gather, obs);
    const auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);
    auto [next, reward, done] = env.step(action);
    obs = next;
    run.log("done", done.sum().item<int64_t>());
    fdg::partition(fdg::gather, reward, next);
    buffer.add({next, reward + 1, reward});
    std::pair<int64_t, int64_t> counts{buffer.size(), step};
    auto [size, at] = counts;
    run.log("size", size - at);
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment buffer: components buffer;
