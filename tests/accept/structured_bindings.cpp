// Structured bindings on both sides of boundaries, some of them read only locally.
#include <algorithm>
#include <vector>

#include "parts.h"

struct Config {
  int64_t steps = 12;
};

struct Tally {
  int64_t made = 0;
  int64_t twice = 0;
  void add(int64_t x) {
    made += x;
    twice += 2 * x;
  }
};
Tally tallied(int64_t x) {
  Tally tally;
  tally.add(x);
  return tally;
}

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
    std::vector<int64_t> some = {step, size, 3};
    auto [low, high] = std::ranges::minmax(some);
    auto [first, last] = std::ranges::minmax_element(some);
    auto [made, twice] = tallied(step);
    run.log("spread", high - low + *last - *first + made + twice);
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment buffer: components buffer;
