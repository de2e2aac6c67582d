// Times of the sum tree and the prioritized replay: replay_bench tree|buffer [LEAVES]
//
// One thread, batches of 512. Prints a JSON line: nanoseconds per leaf (tree) or microseconds per
// batch (buffer), medians over batches. What was done is checked: sums, and what is drawn.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>

#include "algorithms/parts/PrioritizedReplay.h"
#include "base/Check.h"

namespace {

using namespace fdg;

constexpr int64_t kBatch = 512;
constexpr int kBatches = 400;

/// Median seconds of one call.
double timed(const std::function<void(int)>& call) {
  std::vector<double> seconds;
  for (int i = 0; i < kBatches; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    call(i);
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::nth_element(seconds, seconds.begin() + kBatches / 2);
  return seconds[kBatches / 2];
}

void timeTree(int64_t leaves) {
  Stream stream(1, "bench");
  rl::KaryTree tree(leaves, rl::Fold::sum);
  for (int64_t i = 0; i < leaves; ++i) {
    tree.set(i, stream.uniform(0, 0.1, 5));
  }
  std::vector<std::vector<int64_t>> slots(kBatches, std::vector<int64_t>(kBatch));
  std::vector<std::vector<double>> values(kBatches, std::vector<double>(kBatch));
  for (int b = 0; b < kBatches; ++b) {
    for (size_t i = 0; i < kBatch; ++i) {
      slots[static_cast<size_t>(b)][i] = stream.below(0, leaves);
      values[static_cast<size_t>(b)][i] = stream.uniform(0, 0.1, 5);
    }
  }
  const double set = timed(
      [&](int b) { tree.set(slots[static_cast<size_t>(b)], values[static_cast<size_t>(b)]); });
  double sum = 0;
  for (int64_t i = 0; i < leaves; ++i) {
    sum += tree.get(i);
  }
  FDG_CHECK(std::abs(sum - tree.total()) <= 1e-9 * sum, "the root is the sum of the leaves");
  std::vector<int64_t> found(kBatch);
  const double find = timed([&](int b) {
    std::vector<double>& masses = values[static_cast<size_t>(b)];
    for (size_t i = 0; i < kBatch; ++i) {
      masses[i] = (static_cast<double>(i) + masses[i] / 5) * tree.total() / kBatch;
    }
    tree.find(masses, found);
    FDG_CHECK(std::ranges::is_sorted(found), "stratified masses give leaves in order");
  });
  std::printf("{\"set_ns\": %.1f, \"find_ns\": %.1f}\n", set * 1e9 / kBatch, find * 1e9 / kBatch);
}

rl::Transitions cartPoles() {
  return {torch::rand({kBatch, 4}), torch::randint(2, {kBatch}), torch::ones({kBatch}),
          torch::rand({kBatch, 4}), torch::full({kBatch}, 0.99)};
}

void timeBuffer(int64_t capacity) {
  rl::EnvSpec spec = rl::envSpec("CartPole-v1");
  rl::PrioritizedReplay replay(spec, {.capacity = capacity}, Stream(1, "replay"));
  const rl::Transitions rows = cartPoles();
  for (int64_t i = 0; i < capacity; i += kBatch) {
    replay.add({rows, torch::rand({kBatch})});
  }
  FDG_CHECK(replay.size() == capacity, "the replay is full");
  const double add = timed([&](int) { replay.add(rows); });
  rl::Batch batch;
  const double sample = timed([&](int) { batch = replay.sample({0, kBatch, kBatch}); });
  std::vector<rl::Priorities> priorities;
  for (int b = 0; b < kBatches; ++b) {
    const rl::Batch drawn = replay.sample({0, kBatch, kBatch});
    priorities.push_back({drawn.index, drawn.generation, torch::rand({kBatch})});
  }
  const double update = timed([&](int b) { replay.update(priorities[static_cast<size_t>(b)]); });
  FDG_CHECK(replay.dropped() == 0 && batch.weight.size(0) == kBatch, "every update counted");
  std::printf("{\"add_us\": %.1f, \"update_us\": %.1f, \"sample_us\": %.1f}\n", add * 1e6,
              update * 1e6, sample * 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  torch::set_num_threads(1);
  const std::string what = argc > 1 ? argv[1] : "";
  const int64_t size = argc > 2 ? std::atoll(argv[2]) : int64_t{1} << 20;
  if ((what != "tree" && what != "buffer") || size < kBatch) {
    std::fputs("replay_bench tree|buffer [LEAVES]\n", stderr);
    return 2;
  }
  what == "tree" ? timeTree(size) : timeBuffer(size);
  return 0;
}
