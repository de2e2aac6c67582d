#include "algorithms/parts/Evaluator.h"

#include <algorithm>

#include "algorithms/envs/Environment.h"
#include "algorithms/parts/AgentNetworks.h"
#include "algorithms/parts/DenseKernels.h"
#include "algorithms/parts/Distributions.h"
#include "algorithms/parts/Normaliser.h"
#include "algorithms/parts/QNetwork.h"

namespace fdg::rl {
namespace {

constexpr int64_t kMostSteps = 110'000;

/// Rows that are still playing their first episode.
struct Scores {
  std::vector<double> sum;
  std::vector<bool> ended;
  int64_t playing;

  void add(const Outcome& outcome) {
    const auto reward = outcome.reward.contiguous();
    const auto end = outcome.terminated.logical_or(outcome.truncated).contiguous();
    for (size_t r = 0; r < sum.size(); ++r) {
      if (ended[r]) {
        continue;
      }
      sum[r] += reward.data_ptr<float>()[r];
      ended[r] = end.data_ptr<bool>()[r];
      playing -= ended[r] ? 1 : 0;
    }
  }
};

/// The place of the largest of the first `actions` values in each row.
torch::Tensor largest(const float* values, int64_t rows, int64_t width, int64_t actions) {
  auto action = torch::empty({rows}, torch::kInt64);
  for (int64_t r = 0; r < rows; ++r) {
    action.data_ptr<int64_t>()[r] = argmax(values + r * width, actions);
  }
  return action;
}

torch::Tensor actOnImages(const NetworkLayout& layout, const Weights& weights,
                          const torch::Tensor& observation) {
  QNetwork network(layout);
  const torch::Tensor flat = weights.flat.contiguous();
  const auto q = network.forward(flat.data_ptr<float>(), network.plain(observation));
  return largest(q.data(), observation.size(0), network.actions(), network.actions());
}

}  // namespace

torch::Tensor actGreedily(const EnvSpec& spec, const Weights& weights,
                          const torch::Tensor& observation) {
  const NetworkLayout layout = layoutOf(weights);
  if (layout.has("image")) {
    return actOnImages(layout, weights, observation);
  }
  const Block& block = layout.blocks().front();
  const torch::Tensor rows = plainRows(observation, block.sizes.front());
  const torch::Tensor flat = weights.flat.contiguous();
  const int64_t count = rows.size(0);
  AgentNetworks networks(layout, block.name == "actor0" ? "actor" : block.name,
                         block.sizes.front());
  ScaledObservations scaled(layout);
  const float* seen = scaled.of(flat.data_ptr<float>(), rows.data_ptr<float>(), count);
  const auto output = networks.forward(flat.data_ptr<float>(), seen, count);
  const int64_t width = block.sizes.back();
  if (!spec.discrete) {
    auto action = torch::empty({count, spec.actions}, torch::kFloat32);
    for (int64_t i = 0; i < count * spec.actions; ++i) {
      const int64_t d = i % spec.actions;
      const float mean = output[static_cast<size_t>(i / spec.actions * width + d)];
      const float raw = block.name == "squashed" ? tanhOf(mean) : mean;
      action.data_ptr<float>()[i] = toBounds(spec, d, raw);
    }
    return action;
  }
  // In a dueling network the largest advantage is the largest Q-value.
  return largest(output.data(), count, width, spec.actions);
}

Evaluator::Evaluator(const std::string& env, int64_t episodes, Stream stream)
    : Evaluator(envKind(env), episodes, std::move(stream)) {}

Evaluator::Evaluator(const EnvKind& kind, int64_t episodes, Stream stream)
    : spec_(kind.spec),
      episodes_(episodes),
      envs_(kind, {0, episodes * spec_.agents, episodes * spec_.agents}, std::move(stream)) {
  if (episodes < 1) {
    throw UserError("an evaluator needs at least one episode");
  }
}

double Evaluator::run(const Weights& weights) {
  const auto rows = static_cast<size_t>(episodes_ * spec_.agents);
  Scores scores = {std::vector<double>(rows), std::vector<bool>(rows), episodes_ * spec_.agents};
  torch::Tensor observation = envs_.reset();
  for (int64_t step = 0; scores.playing > 0; ++step) {
    if (step == kMostSteps) {
      throw UserError(spec_.name + ": an evaluation episode did not end within " +
                      std::to_string(kMostSteps) + " steps; give the environment a time limit");
    }
    const Outcome outcome = envs_.step(actGreedily(spec_, weights, observation));
    scores.add(outcome);
    observation = outcome.observation;
  }
  double sum = 0;
  for (const double score : scores.sum) {
    sum += score;
  }
  const double mean = sum / static_cast<double>(rows);
  is_best_ = mean > best_return_;
  if (is_best_) {
    best_ = {weights.flat.clone(), weights.network};
    best_return_ = mean;
  }
  return mean;
}

}  // namespace fdg::rl
