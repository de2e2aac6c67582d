#include "algorithms/envs/VectorEnv.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "algorithms/envs/Environment.h"
#include "algorithms/envs/Finished.h"
#include "algorithms/envs/TensorPool.h"
#include "algorithms/envs/tensor/TensorRows.h"
#include "base/Finite.h"

namespace fdg::rl {
namespace {

std::span<std::byte> bytesOf(torch::Tensor& tensor) {
  return {static_cast<std::byte*>(tensor.mutable_data_ptr()), tensor.nbytes()};
}

std::string shapeText(torch::IntArrayRef shape) {
  std::ostringstream text;
  text << shape;
  return text.str();
}

void checkAction(const EnvSpec& spec, const torch::Tensor& action, int64_t rows) {
  std::vector<int64_t> shape = {rows};
  if (!spec.discrete) {
    shape.push_back(spec.actions);
  }
  const auto type = spec.discrete ? torch::kLong : torch::kFloat;
  if (action.defined() && action.scalar_type() == type && action.sizes() == shape) {
    return;
  }
  std::ostringstream text;
  text << spec.name << ": step takes " << (spec.discrete ? "int64" : "float32")
       << " actions of shape " << shapeText(shape) << " ("
       << (spec.discrete ? "one action a row" : "rows, then the dimensions of an action")
       << "), but got ";
  if (action.defined()) {
    text << action.scalar_type() << " of shape " << shapeText(action.sizes());
  } else {
    text << "an undefined tensor";
  }
  throw UserError(text.str());
}

void checkDiscrete(const EnvSpec& spec, std::span<const int64_t> actions, int64_t first_row) {
  for (size_t i = 0; i < actions.size(); ++i) {
    if (actions[i] < 0 || actions[i] >= spec.actions) {
      throw UserError(spec.name + ": the action of row " +
                      std::to_string(first_row + static_cast<int64_t>(i)) + " is " +
                      std::to_string(actions[i]) + "; allowed are 0 to " +
                      std::to_string(spec.actions - 1));
    }
  }
}

void checkContinuous(const EnvSpec& spec, std::span<const float> actions, int64_t first_row) {
  for (size_t i = 0; i < actions.size(); ++i) {
    if (!std::isfinite(actions[i])) {
      const size_t dimension = i % static_cast<size_t>(spec.actions);
      std::ostringstream text;
      text << spec.name << ": the action of row "
           << first_row + static_cast<int64_t>(i) / spec.actions << ", dimension " << dimension
           << ", is " << actions[i] << "; allowed are finite numbers, meant are "
           << spec.low[dimension] << " to " << spec.high[dimension];
      throw UserError(text.str());
    }
  }
}

std::vector<int64_t> rowsOf(int64_t rows, std::vector<int64_t> shape) {
  shape.insert(shape.begin(), rows);
  return shape;
}

Rows wholeWorlds(const EnvSpec& spec, Rows rows) {
  if (rows.begin % spec.agents == 0 && rows.end % spec.agents == 0) {
    return rows;
  }
  const std::string agents = std::to_string(spec.agents);
  throw UserError(spec.name + " has " + agents + " agents, each a row of its own, and rows " +
                  std::to_string(rows.begin) + " to " + std::to_string(rows.end) +
                  " are no whole worlds; take them by run.rows(worlds * " + agents + ", " + agents +
                  ")");
}

}  // namespace

int64_t EnvSpec::observationSize() const {
  int64_t size = 1;
  for (const int64_t dimension : observation_shape) {
    size *= dimension;
  }
  return size;
}

std::string EnvSpec::shapeText() const {
  std::string text;
  for (const int64_t dimension : observation_shape) {
    text += (text.empty() ? "" : " × ") + std::to_string(dimension);
  }
  return text;
}

int64_t Draw::refuseBelow(int64_t n) const {
  throw UserError("draw.below(" + std::to_string(n) + ") for row " + std::to_string(row_) +
                  ": there is no integer from 0 on below it; allowed is at least 1");
}

EnvSpec envSpec(const std::string& name) { return envKind(name).spec; }

struct VectorEnv::State {
  EnvSpec spec;
  Rows rows;
  Stream stream;
  torch::Device device;
  std::unique_ptr<EnvRows> envs;  // one of the two
  std::unique_ptr<TensorRows> tensors;
  size_t observation_bytes;    // of a row
  bool started = false;
  std::vector<double> returns;  // of the running episodes
  std::vector<int64_t> lengths;
  std::vector<StepResult> results;  // of the current step
  Finished finished;
  TensorPool observations, rewards, flags;

  State(const EnvKind& kind, Rows owned, Stream drawn, torch::Device on)
      : spec(kind.spec),
        rows(wholeWorlds(spec, owned)),
        stream(std::move(drawn)),
        device(on),
        envs(kind.tensors ? nullptr : kind.make(owned.size())),
        tensors(kind.tensors ? std::make_unique<TensorRows>(spec, *kind.tensors, owned, on)
                             : nullptr),
        observation_bytes(static_cast<size_t>(spec.observationSize()) *
                          c10::elementSize(spec.observation_type)),
        returns(static_cast<size_t>(owned.size())),
        lengths(returns.size()),
        results(returns.size()),
        observations(rowsOf(owned.size(), spec.observation_shape), spec.observation_type),
        rewards({owned.size()}, torch::kFloat),
        flags({owned.size()}, torch::kBool) {}

  template <class Archive>
  void archiveFields(Archive& a) {
    a(stream, started, returns, lengths, finished);
  }

  /// What the environment's own code is refused is told with its name.
  template <class Act>
  void asThis(const Act& act) const {
    try {
      act();
    } catch (const UserError& error) {
      const std::string sentence = error.what();
      throw UserError(sentence.starts_with(spec.name) ? sentence : spec.name + ": " + sentence);
    }
  }

  void startRow(size_t i, torch::Tensor& observation) {
    Draw draw(stream, rows.begin + static_cast<int64_t>(i));
    const auto seen = bytesOf(observation).subspan(i * observation_bytes, observation_bytes);
    asThis([&] { envs->reset(static_cast<int64_t>(i), draw, seen); });
    returns[i] = 0;
    lengths[i] = 0;
    checkFinite(seen, i, 0);
  }

  /// Ends the run where an environment gives what no learner can take: told here, it has a row.
  /// `seen`: observations of rows from `first` on; `uncounted`: steps that their lengths lack yet.
  void checkFinite(std::span<std::byte> seen, size_t first, int64_t uncounted) const {
    const auto numbers = numbersOf<float>(seen);
    if (spec.observation_type != torch::kFloat32 || allFinite<float>(numbers)) {
      return;
    }
    const auto bad = std::ranges::find_if_not(numbers, [](float x) { return std::isfinite(x); });
    const auto at = static_cast<size_t>(bad - numbers.begin());
    const auto size = static_cast<size_t>(spec.observationSize());
    refuseNumber(first + at / size, "entry " + std::to_string(at % size) + " of the observation",
                 *bad, uncounted);
  }
  [[noreturn]] void refuseNumber(size_t i, const std::string& what, double number,
                                 int64_t uncounted) const {
    std::ostringstream text;
    text << spec.name << ": " << what << " of row " << rows.begin + static_cast<int64_t>(i);
    if (const int64_t step = lengths[i] + uncounted; step == 0) {
      text << " at the start of an episode";
    } else {
      text << " at step " << step << " of its episode";
    }
    text << " is " << number << "; observations and rewards must be finite numbers"
         << (std::isfinite(number) ? " of float32, up to 3.4e38" : "");
    throw UserError(text.str());
  }

  Outcome step(const Actions& actions);
  void finish(Outcome& outcome);
};

VectorEnv::VectorEnv(const std::string& name, Rows rows, Stream stream)
    : VectorEnv(envKind(name), rows, std::move(stream), torch::kCPU) {}

VectorEnv::VectorEnv(const EnvKind& kind, Rows rows, Stream stream)
    : VectorEnv(kind, rows, std::move(stream), torch::kCPU) {}

VectorEnv::VectorEnv(const std::string& name, Rows rows, Stream stream, torch::Device device)
    : VectorEnv(envKind(name), rows, std::move(stream), device) {}

VectorEnv::VectorEnv(const EnvKind& kind, Rows rows, Stream stream, torch::Device device)
    : state_(std::make_unique<State>(kind, rows, std::move(stream), device)) {}

VectorEnv::~VectorEnv() = default;
VectorEnv::VectorEnv(VectorEnv&&) noexcept = default;

torch::Tensor VectorEnv::reset() {
  State& s = *state_;
  s.finished = {};
  s.started = true;
  if (s.tensors) {
    return s.tensors->reset(s.stream);
  }
  torch::Tensor observation = s.observations.take();
  for (size_t i = 0; i < s.returns.size(); ++i) {
    s.startRow(i, observation);
  }
  return observation.to(s.device);
}

Outcome VectorEnv::step(const torch::Tensor& action) {
  State& s = *state_;
  if (!s.started) {
    throw UserError(
        s.spec.name +
        ": step before the first reset; call reset() once, ended episodes are then reset "
        "by step itself");
  }
  const int64_t rows = s.rows.size();
  checkAction(s.spec, action, rows);
  const bool is_plain = action.is_cpu() && action.is_contiguous();
  const torch::Tensor on_cpu = is_plain ? action : action.cpu().contiguous();
  Actions actions;
  if (s.spec.discrete) {
    actions.discrete = on_cpu.data_ptr<int64_t>();
    checkDiscrete(s.spec, {actions.discrete, static_cast<size_t>(rows)}, s.rows.begin);
  } else {
    actions.continuous = on_cpu.data_ptr<float>();
    checkContinuous(s.spec, {actions.continuous, static_cast<size_t>(rows * s.spec.actions)},
                    s.rows.begin);
  }
  if (s.tensors) {
    s.finished = {};
    return s.tensors->step(action, s.stream, s.finished);
  }
  Outcome outcome = s.step(actions);
  if (!s.device.is_cpu()) {
    outcome = {outcome.observation.to(s.device), outcome.final_observation.to(s.device),
               outcome.reward.to(s.device), outcome.terminated.to(s.device),
               outcome.truncated.to(s.device)};
  }
  return outcome;
}

Outcome VectorEnv::State::step(const Actions& actions) {
  Outcome outcome{observations.take(), observations.take(), rewards.take(), flags.take(),
                  flags.take()};
  asThis([&] {
    envs->step(actions, stream, rows.begin, results, bytesOf(outcome.final_observation));
  });
  finish(outcome);
  return outcome;
}

/// From the rows' results: rewards, flags, statistics, and the first observations of new episodes.
void VectorEnv::State::finish(Outcome& outcome) {
  auto* reward = outcome.reward.data_ptr<float>();
  auto* terminated = outcome.terminated.data_ptr<bool>();
  auto* truncated = outcome.truncated.data_ptr<bool>();
  checkFinite(bytesOf(outcome.final_observation), 0, /*uncounted=*/1);
  std::ranges::copy(bytesOf(outcome.final_observation), bytesOf(outcome.observation).begin());
  finished = {};
  for (size_t i = 0; i < results.size(); ++i) {
    returns[i] += results[i].reward;
    ++lengths[i];
    reward[i] = static_cast<float>(results[i].reward);
    if (!std::isfinite(reward[i])) {
      refuseNumber(i, "the reward", results[i].reward, 0);
    }
    terminated[i] = results[i].terminated;
    truncated[i] = results[i].truncated || (spec.time_limit > 0 && lengths[i] >= spec.time_limit);
    if (terminated[i] || truncated[i]) {
      finished.add(returns[i], lengths[i]);
      startRow(i, outcome.observation);
    }
  }
}

Weighted<double> VectorEnv::finishedReturns() const {
  return state_->finished.mean(state_->finished.returns);
}

Weighted<double> VectorEnv::finishedLengths() const {
  return state_->finished.mean(state_->finished.lengths);
}

void VectorEnv::archive(Archive& a) {
  std::string name = state_->spec.name;
  Rows rows = state_->rows;
  a(name, rows);
  if (name != state_->spec.name || rows != state_->rows) {
    std::ostringstream text;
    text << "the saved environments are rows " << rows.begin << " to " << rows.end << " of " << name
         << "; they cannot become rows " << state_->rows.begin << " to " << state_->rows.end
         << " of " << state_->spec.name;
    throw UserError(text.str());
  }
  state_->archiveFields(a);
  if (state_->tensors) {
    state_->tensors->archive(a);
  } else {
    state_->envs->archive(a);
  }
}

}  // namespace fdg::rl
