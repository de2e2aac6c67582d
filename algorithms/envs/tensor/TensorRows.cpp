#include "algorithms/envs/tensor/TensorRows.h"

namespace fdg::rl {

TensorRows::TensorRows(const EnvSpec& spec, const TensorKind& kind, Rows rows, torch::Device device)
    : spec_(spec), kind_(kind), rows_(rows), device_(device), rules_(kind.rules(device)) {
  const int64_t count = rows.size();
  const auto on_device = torch::TensorOptions().device(device);
  state_ = torch::zeros({kind.numbers, count / spec.agents}, on_device.dtype(torch::kDouble));
  returns_ = torch::zeros({count}, on_device.dtype(torch::kDouble));
  lengths_ = torch::zeros({count}, on_device.dtype(torch::kLong));
}

torch::Tensor TensorRows::reset(Stream& stream) {
  const torch::NoGradGuard no_grad;
  std::vector<int64_t> worlds(static_cast<size_t>(state_.size(1)));
  for (size_t i = 0; i < worlds.size(); ++i) {
    worlds[i] = static_cast<int64_t>(i);
  }
  returns_.zero_();
  lengths_.zero_();
  start(worlds, stream);
  return rules_->observe(state_);
}

void TensorRows::start(const std::vector<int64_t>& worlds, Stream& stream) {
  const auto count = static_cast<int64_t>(worlds.size());
  const torch::Tensor starts = torch::empty({count, kind_.numbers}, torch::kDouble);
  for (int64_t i = 0; i < count; ++i) {
    // Worlds draw from the row of their first agent.
    Draw draw(stream, rows_.begin + worlds[static_cast<size_t>(i)] * spec_.agents);
    kind_.start(
        draw, {starts.data_ptr<double>() + i * kind_.numbers, static_cast<size_t>(kind_.numbers)});
  }
  state_.index_copy_(1, torch::tensor(worlds, torch::kLong).to(device_),
                     starts.to(device_).t().contiguous());
}

Outcome TensorRows::step(const torch::Tensor& action, Stream& stream, Finished& finished) {
  const torch::NoGradGuard no_grad;
  TensorStep after = rules_->step(state_, action.to(device_));
  state_ = after.state;
  returns_ = returns_ + after.reward;
  lengths_ = lengths_ + 1;
  Outcome outcome;
  outcome.final_observation = rules_->observe(state_);
  outcome.reward = after.reward.to(torch::kFloat);
  outcome.terminated = after.terminated;
  outcome.truncated =
      spec_.time_limit > 0 ? lengths_ >= spec_.time_limit : torch::zeros_like(after.terminated);
  const bool any = startEnded(outcome.terminated | outcome.truncated, stream, finished);
  outcome.observation = any ? rules_->observe(state_) : outcome.final_observation.clone();
  return outcome;
}

/// Whether any episode ended.
bool TensorRows::startEnded(const torch::Tensor& ended, Stream& stream, Finished& finished) {
  const torch::Tensor flags = ended.cpu();
  const bool* is_ended = flags.data_ptr<bool>();
  std::vector<int64_t> rows, worlds;
  for (int64_t row = 0; row < flags.size(0); ++row) {
    if (is_ended[row]) {
      rows.push_back(row);
      if (row % spec_.agents == 0) {
        worlds.push_back(row / spec_.agents);
      }
    }
  }
  if (rows.empty()) {
    return false;
  }
  const torch::Tensor returns = returns_.cpu(), lengths = lengths_.cpu();
  for (const int64_t row : rows) {
    finished.add(returns.data_ptr<double>()[row], lengths.data_ptr<int64_t>()[row]);
  }
  const torch::Tensor index = torch::tensor(rows, torch::kLong).to(device_);
  returns_.index_fill_(0, index, 0);
  lengths_.index_fill_(0, index, 0);
  start(worlds, stream);
  return true;
}

void TensorRows::archive(Archive& a) {
  for (torch::Tensor* tensor : {&state_, &returns_, &lengths_}) {
    torch::Tensor on_cpu = tensor->cpu();
    a(on_cpu);
    *tensor = on_cpu.to(device_).clone();
  }
}

}  // namespace fdg::rl
