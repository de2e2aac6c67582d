#include "algorithms/parts/NStep.h"

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string>

#include "algorithms/envs/FreshTensor.h"

namespace fdg::rl {
namespace {

/// The bytes of one row of a contiguous tensor.
std::vector<uint8_t> rowBytes(const torch::Tensor& t, int64_t row) {
  const auto size = static_cast<size_t>(t.numel() / t.size(0) * t.element_size());
  const auto* begin =
      static_cast<const uint8_t*>(t.const_data_ptr()) + static_cast<size_t>(row) * size;
  return {begin, begin + size};
}

void append(std::vector<uint8_t>& to, const std::vector<uint8_t>& bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// `rows` rows of the same kind as those of `like`.
torch::Tensor rowsLike(const torch::Tensor& like, int64_t rows, const std::vector<uint8_t>& bytes) {
  auto sizes = like.sizes().vec();
  sizes.front() = rows;
  torch::Tensor t = freshTensor(sizes, like.scalar_type());
  if (!bytes.empty()) {
    std::memcpy(t.mutable_data_ptr(), bytes.data(), bytes.size());
  }
  return t;
}

torch::Tensor floats(const std::vector<float>& values) {
  torch::Tensor t = freshTensor({static_cast<int64_t>(values.size())}, torch::kFloat32);
  std::ranges::copy(values, t.data_ptr<float>());
  return t;
}

struct Named {
  const char* name;
  const torch::Tensor& tensor;
  std::optional<torch::ScalarType> type = std::nullopt;
};

/// One row each of `rows`, of the type that is read.
void checkRows(int64_t rows, std::initializer_list<Named> tensors) {
  for (const Named& one : tensors) {
    const bool fits = one.tensor.defined() && one.tensor.is_cpu() && one.tensor.dim() > 0 &&
                      one.tensor.size(0) == rows &&
                      (!one.type || one.tensor.scalar_type() == *one.type);
    if (!fits) {
      std::ostringstream got;
      if (one.tensor.defined()) {
        got << one.tensor.scalar_type() << " of shape " << one.tensor.sizes();
      } else {
        got << "nothing";
      }
      throw UserError(std::string("n-step returns of ") + std::to_string(rows) +
                      " rows, as many as the first step had, were given as " + one.name + " " + got.str() +
                      "; each tensor of a step has one row for each environment");
    }
  }
}

/// A NaN stays one.
double signOf(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

}  // namespace

NStep::NStep(int64_t n, double gamma, bool signs)
    : n_(static_cast<size_t>(n)), gamma_(gamma), signs_(signs) {
  if (n < 1 || !(gamma >= 0 && gamma <= 1)) {
    throw UserError("n-step returns need n ≥ 1 and 0 ≤ γ ≤ 1; got n = " + std::to_string(n) +
                    ", γ = " + std::to_string(gamma));
  }
}

Transitions NStep::push(const torch::Tensor& observation, const torch::Tensor& action,
                        const Outcome& outcome) {
  return asTransitions(pushRows(observation, action, outcome, nullptr), observation, action);
}

Experience NStep::push(const torch::Tensor& observation, const torch::Tensor& action,
                       const Outcome& outcome, const ActedValues& values) {
  const Gathered out = pushRows(observation, action, outcome, &values);
  return {asTransitions(out, observation, action), floats(out.error)};
}

NStep::Done NStep::complete(const Row& row, size_t first, const Bytes& next,
                            bool terminated) const {
  double sum = 0;
  double factor = 1;
  for (size_t i = first; i < row.steps.size(); ++i) {
    sum += factor * row.steps[i].reward;
    factor *= gamma_;
  }
  const Step& start = row.steps[first];
  return {start.observation,
          start.action,
          next,
          static_cast<float>(sum),
          terminated ? 0.0f : static_cast<float>(factor),
          start.taken};
}

void NStep::emit(Gathered& out, const Done& done, float value) {
  append(out.observation, done.observation);
  append(out.action, done.action);
  append(out.next_observation, done.next_observation);
  out.reward.push_back(done.reward);
  out.discount.push_back(done.discount);
  out.error.push_back(std::abs(done.reward + done.discount * value - done.taken));
}

NStep::Gathered NStep::pushRows(const torch::Tensor& observation, const torch::Tensor& action,
                                const Outcome& outcome, const ActedValues* values) {
  const bool is_first = rows_.empty() && observation.defined() && observation.dim() > 0;
  const int64_t count = is_first ? observation.size(0) : static_cast<int64_t>(rows_.size());
  checkRows(count, {{"observation", observation},
                    {"action", action},
                    {"next observation", outcome.observation},
                    {"final observation", outcome.final_observation},
                    {"reward", outcome.reward, torch::kFloat32},
                    {"terminated", outcome.terminated, torch::kBool},
                    {"truncated", outcome.truncated, torch::kBool}});
  if (values != nullptr) {
    checkRows(count, {{"taken", values->taken, torch::kFloat32},
                      {"best", values->best, torch::kFloat32},
                      {"final best", values->final_best, torch::kFloat32}});
  }
  const auto obs = observation.contiguous();
  const auto act = action.contiguous();
  const auto next = outcome.observation.contiguous();
  const auto final_next = outcome.final_observation.contiguous();
  const auto reward = outcome.reward.contiguous();
  const auto terminated = outcome.terminated.contiguous();
  const auto truncated = outcome.truncated.contiguous();
  rows_.resize(static_cast<size_t>(obs.size(0)));
  counts_.assign(rows_.size(), 0);
  Gathered out;
  for (int64_t r = 0; r < obs.size(0); ++r) {
    Row& row = rows_[static_cast<size_t>(r)];
    const size_t before = out.reward.size();
    const auto valueOf = [&](torch::Tensor ActedValues::*field) {
      return values != nullptr ? (values->*field).data_ptr<float>()[r] : 0.0f;
    };
    for (const Done& done : row.waiting) {
      emit(out, done, valueOf(&ActedValues::best));
    }
    row.waiting.clear();
    const double got = reward.data_ptr<float>()[r];
    row.steps.push_back({rowBytes(obs, r), rowBytes(act, r), signs_ ? signOf(got) : got,
                         valueOf(&ActedValues::taken)});
    const bool has_terminated = terminated.data_ptr<bool>()[r];
    if (has_terminated || truncated.data_ptr<bool>()[r]) {
      const Bytes last = rowBytes(final_next, r);
      for (size_t first = 0; first < row.steps.size(); ++first) {
        emit(out, complete(row, first, last, has_terminated), valueOf(&ActedValues::final_best));
      }
      row.steps.clear();
    } else if (row.steps.size() == n_) {
      Done done = complete(row, 0, rowBytes(next, r), false);
      row.steps.erase(row.steps.begin());
      if (values == nullptr) {
        emit(out, done, 0);
      } else {
        row.waiting.push_back(std::move(done));
      }
    }
    counts_[static_cast<size_t>(r)] = static_cast<int64_t>(out.reward.size() - before);
  }
  return out;
}

Transitions NStep::asTransitions(const Gathered& out, const torch::Tensor& observation,
                                 const torch::Tensor& action) {
  const auto rows = static_cast<int64_t>(out.reward.size());
  return {rowsLike(observation, rows, out.observation), rowsLike(action, rows, out.action),
          floats(out.reward), rowsLike(observation, rows, out.next_observation),
          floats(out.discount)};
}

}  // namespace fdg::rl
