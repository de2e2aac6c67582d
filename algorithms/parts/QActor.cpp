#include "algorithms/parts/QActor.h"

#include <algorithm>
#include <cmath>

namespace fdg::rl {

QActor::QActor(const EnvSpec& spec, Rows rows, const DqnOptions& options, Stream stream)
    : rows_(rows),
      options_(options),
      layout_(qLayout(spec, options)),
      network_(layout_),
      stream_(std::move(stream)),
      taken_(static_cast<size_t>(rows.size())),
      best_(static_cast<size_t>(rows.size())) {}

void QActor::load(const Weights& weights) { copyParameters(weights, layout_, parameters_); }

double QActor::exploration(int64_t row, int64_t step) const {
  if (options_.explore_ladder) {
    const double place =
        rows_.total > 1 ? static_cast<double>(row) / static_cast<double>(rows_.total - 1) : 0.0;
    return std::pow(0.4, 1 + 7 * place);
  }
  if (step >= options_.explore_steps) {
    return options_.explore_end;
  }
  const double progress = static_cast<double>(step) / static_cast<double>(options_.explore_steps);
  return options_.explore_start + (options_.explore_end - options_.explore_start) * progress;
}

torch::Tensor QActor::act(const torch::Tensor& observation, int64_t step) {
  checkActor(observation, rows_, parameters_);
  const torch::Tensor rows = network_.plain(observation);
  const auto q = network_.forward(parameters_.data(), rows);
  auto action = torch::empty({rows.size(0)}, torch::kInt64);
  auto* to = action.data_ptr<int64_t>();
  const int64_t n = network_.actions();
  for (int64_t r = 0; r < rows.size(0); ++r) {
    const float* values = q.data() + r * n;
    const int64_t greedy = argmax(values, n);
    const int64_t row = rows_.begin + r;
    const bool explores = stream_.uniform(row) < exploration(row, step);
    to[r] = explores ? stream_.below(row, n) : greedy;
    taken_[static_cast<size_t>(r)] = values[to[r]];
    best_[static_cast<size_t>(r)] = values[greedy];
  }
  return action;
}

float QActor::bestAt(const torch::Tensor& observations, int64_t row) {
  const auto q = network_.forward(parameters_.data(), observations.narrow(0, row, 1));
  return *std::ranges::max_element(q);
}

ActedValues QActor::values(const Outcome& outcome) {
  const int64_t rows = rows_.size();
  ActedValues values = {torch::empty({rows}, torch::kFloat32),
                        torch::empty({rows}, torch::kFloat32),
                        torch::zeros({rows}, torch::kFloat32)};
  std::ranges::copy(taken_, values.taken.data_ptr<float>());
  std::ranges::copy(best_, values.best.data_ptr<float>());
  const torch::Tensor last = network_.plain(outcome.final_observation);
  const torch::Tensor truncated = outcome.truncated.contiguous();
  for (int64_t r = 0; r < rows; ++r) {
    if (truncated.data_ptr<bool>()[r]) {
      values.final_best.data_ptr<float>()[r] = bestAt(last, r);
    }
  }
  return values;
}

}  // namespace fdg::rl
