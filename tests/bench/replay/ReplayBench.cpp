// Times of the sum tree and the prioritized replay: replay_bench tree|buffer|table|rows [SIZE]
//
// One thread, batches of 512. tree and buffer print a JSON line: nanoseconds per leaf, microseconds
// per batch, medians over batches. table: set and find by arity and leaves, up to SIZE leaves.
// rows: batches of 8,192 rows of 430 floats beside torch's index_copy and index_select in the same
// run. What was done is checked: sums, what is drawn, the rows.
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

struct TreeTimes {
  double set_ns, find_ns;
};

template <int64_t kArity>
TreeTimes timeTree(int64_t leaves) {
  Stream stream(1, "bench");
  rl::KaryTreeOf<kArity> tree(leaves, rl::Fold::sum);
  std::vector<int64_t> places;
  std::vector<double> first;
  for (int64_t i = 0; i < leaves; ++i) {
    places.push_back(i);
    first.push_back(stream.uniform(0, 0.1, 5));
    if (places.size() == 4096 || i + 1 == leaves) {
      tree.set(places, first);
      places.clear();
      first.clear();
    }
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
  return {set * 1e9 / kBatch, find * 1e9 / kBatch};
}

template <int64_t kArity>
void printTimes(int64_t leaves) {
  const TreeTimes times = timeTree<kArity>(leaves);
  std::printf("| %lld | %lld | %.0f | %.0f |\n", static_cast<long long>(leaves),
              static_cast<long long>(kArity), times.set_ns, times.find_ns);
}

void timeTable(int64_t most) {
  std::puts("| leaves | K | set, ns | find, ns |\n|---|---|---|---|");
  for (int64_t leaves = 10'000; leaves <= most; leaves *= 10) {
    printTimes<2>(leaves);
    printTimes<4>(leaves);
    printTimes<8>(leaves);
    printTimes<16>(leaves);
    printTimes<32>(leaves);
    printTimes<64>(leaves);
  }
}

/// Against torch in memory that both have already touched.
void timeRows(int64_t capacity) {
  constexpr int64_t kRows = 8'192, kFloats = 430;
  const std::vector<size_t> bytes = {kFloats * sizeof(float)};
  rl::RowRecords ours(bytes, capacity);
  auto theirs = torch::zeros({capacity, kFloats});
  const auto rows = torch::rand({kRows, kFloats});
  auto mine = torch::zeros({kRows, kFloats}), drawn = torch::zeros({kRows, kFloats});
  std::vector<double> seconds[4];
  for (int64_t turn = 0; turn < 60; ++turn) {
    const int64_t first = turn * kRows % (capacity - kRows);
    const auto places = torch::arange(first, first + kRows);
    const auto chosen = torch::randint(capacity, {kRows}, torch::kInt64);
    const std::span slots(chosen.data_ptr<int64_t>(), kRows);
    const std::function<void()> calls[4] = {
        [&] {
          ours.put(0, first, kRows, reinterpret_cast<const std::byte*>(rows.data_ptr<float>()));
        },
        [&] { theirs.index_copy_(0, places, rows); },
        [&] {
          std::byte* const to[] = {reinterpret_cast<std::byte*>(mine.data_ptr<float>())};
          ours.gather(slots, to);
        },
        [&] { torch::index_select_out(drawn, theirs, 0, chosen); }};
    for (size_t c = 0; c < 4; ++c) {
      const auto begin = std::chrono::steady_clock::now();
      calls[c]();
      seconds[c].push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    FDG_CHECK(mine.equal(drawn), "both stores give the same rows");
  }
  for (std::vector<double>& list : seconds) {
    std::ranges::nth_element(list, list.begin() + 30);
  }
  std::printf(
      "{\"add_ms\": %.2f, \"torch_add_ms\": %.2f, \"gather_ms\": %.2f, "
      "\"torch_gather_ms\": %.2f}\n",
      seconds[0][30] * 1e3, seconds[1][30] * 1e3, seconds[2][30] * 1e3, seconds[3][30] * 1e3);
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
  // As programs do: the largest priority is worked out when rows without errors come.
  const double cycle = timed([&](int b) {
    replay.add(rows);
    const rl::Batch drawn = replay.sample({0, kBatch, kBatch});
    replay.update({drawn.index, drawn.generation, priorities[static_cast<size_t>(b)].error});
  });
  std::printf("{\"add_us\": %.1f, \"update_us\": %.1f, \"sample_us\": %.1f, \"cycle_us\": %.1f}\n",
              add * 1e6, update * 1e6, sample * 1e6, cycle * 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  torch::set_num_threads(1);
  const std::string what = argc > 1 ? argv[1] : "";
  const int64_t size = argc > 2 ? std::atoll(argv[2]) : what == "rows" ? 1 << 17 : 1 << 20;
  if (size < 2 * kBatch) {
    std::fputs("replay_bench: SIZE must be at least 1024\n", stderr);
    return 2;
  }
  if (what == "tree") {
    const TreeTimes times = timeTree<16>(size);
    std::printf("{\"set_ns\": %.1f, \"find_ns\": %.1f}\n", times.set_ns, times.find_ns);
  } else if (what == "buffer") {
    timeBuffer(size);
  } else if (what == "table") {
    timeTable(size);
  } else if (what == "rows" && size > 8'192) {
    timeRows(size);
  } else {
    std::fputs("replay_bench tree|buffer|table|rows [SIZE]\n", stderr);
    return 2;
  }
  return 0;
}
