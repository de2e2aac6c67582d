#include "algorithms/parts/QNetwork.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "algorithms/parts/Limits.h"
#include "base/ConfigError.h"

namespace fdg::rl {
namespace {

void checkRows(const std::string& who, const torch::Tensor& observation, Rows rows) {
  if (observation.size(0) != rows.size()) {
    throw UserError("the " + who + " was made for " + std::to_string(rows.size()) +
                    " rows and got " + std::to_string(observation.size(0)));
  }
}

void checkImage(const EnvSpec& spec) {
  if (std::min(spec.observation_shape[1], spec.observation_shape[2]) < kSmallestImage) {
    const std::string least = std::to_string(kSmallestImage);
    throw ConfigError(spec.name + " gives images of " + spec.shapeText() +
                      "; taken are channels (or stacked frames) × height × width, at least " +
                      least +
                      " high and wide. A wrapper of gymnasium (TransformObservation, "
                      "FrameStackObservation) in a registered environment can make them");
  }
}

}  // namespace

void check(const DqnOptions& options) {
  const Limits dqn("dqn");
  dqn.layers("hidden", options.hidden);
  dqn.within("gamma", options.gamma, 0, 1);
  dqn.count("n_step", options.n_step, 1);
  dqn.word("optimizer", options.optimizer, {"adam", "rmsprop"});
  dqn.part("epsilon", options.epsilon);
  dqn.decay("rms_decay", options.rms_decay);
  dqn.part("lr", options.lr);
  dqn.count("lr_decay", options.lr_decay, 0, Limits::kForever);
  dqn.factor("grad_clip", options.grad_clip);
  dqn.count("target_every", options.target_every, 1, Limits::kForever);
  dqn.part("target_rate", options.target_rate);
  dqn.within("explore_start", options.explore_start, 0, 1);
  dqn.within("explore_end", options.explore_end, 0, 1);
  dqn.count("explore_steps", options.explore_steps, 0, Limits::kForever);
}

NetworkLayout qLayout(const EnvSpec& spec, const DqnOptions& options) {
  check(options);
  if (!spec.discrete) {
    throw ConfigError(spec.name +
                      " has continuous actions; Q-learning needs discrete ones (use ppo)");
  }
  NetworkLayout layout;
  if (spec.isImage()) {
    checkImage(spec);
    layout.add("image", "nature", spec.observation_shape);
  }
  std::vector<int64_t> sizes = {spec.isImage() ? NatureCnn::featuresFor(spec.observation_shape)
                                               : spec.observationSize()};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  sizes.push_back(spec.actions + (options.dueling ? 1 : 0));
  layout.add(options.dueling ? "dueling" : "q", "relu", std::move(sizes));
  return layout;
}

QNetwork::QNetwork(const NetworkLayout& layout)
    : dueling_(layout.has("dueling")),
      head_(layout.blocks().back().offset),
      pass_(layout.blocks().back().shape()) {
  if (layout.has("image")) {
    images_.emplace(layout.block("image").sizes);
  }
}

torch::Tensor QNetwork::plain(const torch::Tensor& observation) const {
  if (!images_) {
    return plainRows(observation, pass_.shape().inputs());
  }
  if (observation.scalar_type() != torch::kByte || observation.dim() != 4 ||
      observation.sizes().slice(1) != images_->shape()) {
    std::ostringstream text;
    text << "a network for images of uint8 " << torch::IntArrayRef(images_->shape())
         << " was given observations of " << observation.scalar_type() << ' '
         << observation.sizes().slice(1);
    throw UserError(text.str());
  }
  return observation.cpu().contiguous();
}

std::span<const float> QNetwork::forward(const float* parameters,
                                         const torch::Tensor& observation) {
  const int64_t rows = observation.size(0);
  const float* x = images_ ? images_->forward(parameters, observation.data_ptr<uint8_t>(), rows)
                           : observation.data_ptr<float>();
  const auto output = pass_.forward(parameters + head_, x, rows);
  if (!dueling_) {
    return output;
  }
  const int64_t n = actions();
  q_.resize(static_cast<size_t>(rows * n));
  for (int64_t r = 0; r < rows; ++r) {
    const float* advantage = output.data() + r * (n + 1);
    float sum = 0;
    for (int64_t a = 0; a < n; ++a) {
      sum += advantage[a];
    }
    const float base = advantage[n] - sum / static_cast<float>(n);
    for (int64_t a = 0; a < n; ++a) {
      q_[static_cast<size_t>(r * n + a)] = base + advantage[a];
    }
  }
  return q_;
}

/// The derivative by the advantages and the state's value.
std::span<const float> QNetwork::advantages(std::span<const float> d_q) {
  const int64_t n = actions();
  const auto rows = static_cast<int64_t>(d_q.size()) / n;
  d_output_.resize(static_cast<size_t>(rows * (n + 1)));
  for (int64_t r = 0; r < rows; ++r) {
    const float* d = d_q.data() + r * n;
    float sum = 0;
    for (int64_t a = 0; a < n; ++a) {
      sum += d[a];
    }
    float* to = d_output_.data() + r * (n + 1);
    for (int64_t a = 0; a < n; ++a) {
      to[a] = d[a] - sum / static_cast<float>(n);
    }
    to[n] = sum;
  }
  return d_output_;
}

void QNetwork::backward(const float* parameters, const torch::Tensor& observation,
                        std::span<const float> d_q, float* gradient) {
  const float* d = (dueling_ ? advantages(d_q) : d_q).data();
  const float* head = parameters + head_;
  if (!images_) {
    pass_.backward(head, observation.data_ptr<float>(), d, gradient + head_);
    return;
  }
  pass_.backward(head, images_->features(), d, gradient + head_);
  d_features_.resize(static_cast<size_t>(observation.size(0) * pass_.shape().inputs()));
  pass_.inputGradient(head, d, d_features_.data());
  images_->backward(parameters, observation.data_ptr<uint8_t>(), d_features_.data(), gradient);
}

int64_t argmax(const float* values, int64_t n) {
  int64_t best = 0;
  for (int64_t i = 1; i < n; ++i) {
    if (values[i] > values[best]) {
      best = i;
    }
  }
  return best;
}

torch::Tensor plainRows(const torch::Tensor& observation, int64_t inputs) {
  const int64_t rows = observation.size(0);
  if (observation.numel() != rows * inputs) {
    throw UserError("a network with " + std::to_string(inputs) +
                    " inputs was given observations of " +
                    std::to_string(rows > 0 ? observation.numel() / rows : 0) + " numbers each");
  }
  // Asked first: LibTorch finds out by its dispatcher that there is nothing to do.
  if (observation.is_cpu() && observation.scalar_type() == torch::kFloat32) {
    return observation.contiguous();
  }
  return observation.to(torch::kCPU, torch::kFloat32).contiguous();
}

void checkActor(const torch::Tensor& observation, Rows rows, const std::vector<float>& parameters) {
  if (parameters.empty()) {
    throw UserError("the actor has no weights yet: load them before the first act");
  }
  checkRows("actor", observation, rows);
}

torch::Tensor actorRows(const torch::Tensor& observation, int64_t inputs, Rows rows,
                        const std::vector<float>& parameters) {
  checkActor(observation, rows, parameters);
  return plainRows(observation, inputs);
}

torch::Tensor learnerRows(const torch::Tensor& observation, int64_t inputs, Rows rows) {
  checkRows("learner", observation, rows);
  return plainRows(observation, inputs);
}

}  // namespace fdg::rl
