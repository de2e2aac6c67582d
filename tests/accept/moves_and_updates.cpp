// Values made in one fragment and updated in another, moved at their last use, kept for the next iteration;
// fields and elements of what was received; handles that share storage; no rows at all.
#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "parts.h"

struct Config {
  int64_t steps = 10;
};

struct Report {
  std::vector<int64_t> counts;
  std::pair<int64_t, double> best = {0, 0.0};
  torch::Tensor values;
};

static int64_t digest(const Report& report, int64_t seed = 3) {
  int64_t sum = seed;
  for (const auto& count : report.counts) {
    sum = sum * 7 % 1009 + count;
  }
  return sum + report.best.first + report.values.sum().item<int64_t>();
}

static void append(std::vector<int64_t>& to, int64_t value) { to.push_back(value); }

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(3));
  parts::Buffer buffer;
  int64_t total = 0;
  std::vector<int64_t> history = {1};
  torch::Tensor empty = torch::zeros({0}, torch::kInt64);
  auto obs = env.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto outcome = env.step(obs);
    obs = outcome.observation;
    Report report{.counts = {step, step * 2}, .values = outcome.reward};
    report.best = std::make_pair(env.time(), 0.5);
    auto nothing = outcome.reward.index({torch::indexing::Slice(0, step % 2 == 0 ? 0 : 2)});
    fdg::partition(fdg::broadcast, report, nothing);
    report.counts[0] += 4;
    report.counts.push_back(9);
    auto& [number, share] = report.best;
    number += 2;
    total += digest(report) + digest(report, 1) + nothing.size(0);
    append(history, total % 13);
    auto copy = report.values.clone();
    auto view = copy.view({-1});
    view.add_(step);
    buffer.add({copy, copy, view});
    const std::vector<int64_t> counts = std::move(report.counts);
    std::function<int64_t(int64_t)> scaled = [k = counts.back()](int64_t x) { return k * x; };
    auto marks = torch::full({2}, scaled(total) % 97 + static_cast<int64_t>(share), torch::kInt64);
    if (nothing.numel() == 0) {
      marks = torch::cat({marks, empty});
    }
    buffer.mark(marks);
    const int64_t oldest = *std::max_element(history.begin(), history.end());
    const int64_t all = std::accumulate(history.begin(), history.end(), int64_t{0},
                                        [](int64_t a, int64_t b) { return (a * 3 + b) % 991; });
    run.log("history", oldest + all + buffer.sample(2).sum().item<int64_t>());
    int64_t wish = buffer.size() % 4;
    fdg::partition(fdg::broadcast, wish);
    obs = wish > 1 ? obs + wish : obs * 2 % 101;
  }
  run.log("total", total);
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment environment: components env;
// CHECK-DAG: fragment buffer: components buffer;
// CHECK-DAG: boundary report: broadcast environment -> buffer
// CHECK-DAG: boundary wish: broadcast buffer -> environment
