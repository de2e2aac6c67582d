// Times of learning beside LibTorch: learn_bench net|critics [REPEATS]
//
// One thread, both sides in one process, in turn. net: forward, backward and Adam of a small
// network, and Polyak averaging. critics: a whole update of FastSAC's critics (draw of the next
// actions, targets, gradients, AdamW, target networks). A JSON line for each row: medians of the
// repeats in microseconds of processor time, least and most. Both sides begin with the same weights
// and must find the same numbers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <numbers>

#include "algorithms/parts/FastSacLearner.h"
#include "algorithms/parts/Optimizer.h"
#include "algorithms/parts/SmallNet.h"
#include "base/Check.h"

namespace {

using namespace fdg;

struct Turns {
  int repeats;
  int calls;  // of each side in a repeat
};

/// Microseconds per call, of processor time: what else the machine does hardly counts.
double timed(int calls, const std::function<void()>& call) {
  const std::clock_t begin = std::clock();
  for (int i = 0; i < calls; ++i) {
    call();
  }
  return static_cast<double>(std::clock() - begin) * 1e6 / CLOCKS_PER_SEC / calls;
}

std::string spread(std::vector<double> times) {
  std::ranges::sort(times);
  char text[100];
  std::snprintf(text, sizeof text, "[%.3f, %.3f, %.3f]", times[times.size() / 2], times.front(),
                times.back());
  return text;
}

void compare(const std::string& what, Turns turns, const std::function<void()>& ours,
             const std::function<void()>& theirs) {
  std::vector<double> us, them;
  for (int i = 0; i < turns.repeats; ++i) {
    us.push_back(timed(turns.calls, ours));
    them.push_back(timed(turns.calls, theirs));
  }
  std::printf("{\"what\": \"%s\", \"ours_us\": %s, \"torch_us\": %s}\n", what.c_str(),
              spread(us).c_str(), spread(them).c_str());
  std::fflush(stdout);
}

std::vector<float> normals(Stream& stream, int64_t count) {
  std::vector<float> values(static_cast<size_t>(count));
  stream.fillNormal(0, values);
  return values;
}

// --- a small network ---

constexpr double kRate = 1e-3;

struct OurNet {
  rl::MlpPass pass{{rl::Activation::tanh, {4, 64, 64, 2}}};
  std::vector<float> parameters, gradient, d;
  rl::Adam adam{pass.shape().parameters(), 1e-8};

  void update(const std::vector<float>& x, const std::vector<float>& wanted) {
    const auto rows = static_cast<int64_t>(wanted.size()) / 2;
    const auto y = pass.forward(parameters.data(), x.data(), rows);
    d.resize(y.size());
    const float share = 2.0f / static_cast<float>(y.size());
    for (size_t i = 0; i < y.size(); ++i) {
      d[i] = share * (y[i] - wanted[i]);
    }
    pass.backward(parameters.data(), x.data(), d.data(), gradient.data());
    adam.step(gradient, kRate, 0, parameters);
  }
};

struct TorchNet {
  torch::nn::Sequential net{torch::nn::Linear(4, 64), torch::nn::Tanh(), torch::nn::Linear(64, 64),
                            torch::nn::Tanh(), torch::nn::Linear(64, 2)};
  torch::optim::Adam adam{net->parameters(), torch::optim::AdamOptions(kRate)};

  explicit TorchNet(const NamedTensors& start) {
    torch::NoGradGuard guard;
    const auto parameters = net->parameters();
    for (size_t i = 0; i < parameters.size(); ++i) {
      parameters[i].copy_(start[i].second);
    }
  }
  void update(const torch::Tensor& x, const torch::Tensor& wanted) {
    adam.zero_grad();
    torch::mse_loss(net->forward(x), wanted).backward();
    adam.step();
  }
};

void timeNet(int repeats) {
  Stream stream(1, "bench");
  rl::NetworkLayout layout;
  layout.add("q", "tanh", {4, 64, 64, 2});
  for (const int64_t rows : {1, 100, 256}) {
    OurNet ours;
    ours.parameters.resize(static_cast<size_t>(layout.parameters()));
    ours.gradient.resize(ours.parameters.size());
    rl::initUniform(layout.block("q"), stream, ours.parameters);
    TorchNet theirs(rl::makeWeights(ours.parameters, layout).parameters());
    const std::vector<float> x = normals(stream, rows * 4), wanted = normals(stream, rows * 2);
    const auto torch_x = torch::tensor(x).view({rows, 4});
    const auto torch_wanted = torch::tensor(wanted).view({rows, 2});
    for (int i = 0; i < 10; ++i) {
      ours.update(x, wanted);
      theirs.update(torch_x, torch_wanted);
    }
    const auto found = rl::makeWeights(ours.parameters, layout).parameters();
    for (size_t i = 0; i < found.size(); ++i) {
      FDG_CHECK(torch::allclose(found[i].second, theirs.net->parameters()[i], 1e-3, 1e-4),
                "both sides learn the same");
    }
    compare("4-64-64-2, forward, backward, Adam, batch " + std::to_string(rows), {repeats, 1'000},
            [&] { ours.update(x, wanted); }, [&] { theirs.update(torch_x, torch_wanted); });
  }
}

void timePolyak(int repeats) {
  Stream stream(2, "bench");
  rl::NetworkLayout layout;
  layout.add("q", "tanh", {4, 64, 64, 2});
  const auto online = normals(stream, layout.parameters());
  auto target = normals(stream, layout.parameters());
  const auto named = [&](const std::vector<float>& parameters) {
    std::vector<torch::Tensor> tensors;
    for (const auto& [name, tensor] : rl::makeWeights(parameters, layout).parameters()) {
      tensors.push_back(tensor);
    }
    return tensors;
  };
  const auto torch_online = named(online), torch_target = named(target);
  torch::NoGradGuard guard;
  compare("4-64-64-2, Polyak averaging", {repeats, 4'000},
          [&] { rl::follow(online, 0.005, target); },
          [&] { torch::_foreach_lerp_(torch_target, torch_online, 0.005); });
  const auto found = named(target);
  for (size_t i = 0; i < found.size(); ++i) {
    FDG_CHECK(torch::allclose(found[i], torch_target[i], 1e-4, 1e-5), "both sides move alike");
  }
}

// --- FastSAC's critics ---

constexpr int64_t kObservation = 17, kActions = 6;  // HalfCheetah's

using Layer = std::array<torch::Tensor, 4>;  // weight, bias, gain, shift; the last has two

std::vector<Layer> layersOf(const NamedTensors& tensors, const std::string& network) {
  std::vector<Layer> layers;
  for (const auto& [name, tensor] : tensors) {
    if (!name.starts_with(network + ".")) {
      continue;
    }
    if (name.ends_with(".weight") && !name.ends_with(".norm.weight")) {
      layers.emplace_back();
    }
    *std::ranges::find_if(layers.back(), [](const auto& t) { return !t.defined(); }) = tensor;
  }
  return layers;
}

torch::Tensor forward(const std::vector<Layer>& layers, torch::Tensor x) {
  for (const auto& [weight, bias, gain, shift] : layers) {
    x = torch::linear(x, weight, bias);
    if (gain.defined()) {
      x = torch::silu(torch::layer_norm(x, {gain.size(0)}, gain, shift));
    }
  }
  return x;
}

/// The same update by LibTorch, as its users write it.
struct TorchCritics {
  const rl::FastSacOptions& options;
  std::vector<Layer> policy;
  std::array<std::vector<Layer>, 2> online, target;
  std::vector<torch::Tensor> online_list, target_list;
  std::unique_ptr<torch::optim::AdamW> optimizer;
  torch::Tensor atoms;

  TorchCritics(const rl::FastSacLearner& learner, const rl::FastSacOptions& options)
      : options(options),
        policy(layersOf(learner.weights().parameters(), "squashed")),
        atoms(torch::linspace(options.value_low, options.value_high, options.atoms)) {
    const NamedTensors critics = learner.criticWeights().parameters();
    for (size_t i = 0; i < 2; ++i) {
      const std::string name = "critic" + std::to_string(i + 1);
      online[i] = layersOf(critics, name);
      target[i] = layersOf(critics, "target_" + name);
      for (size_t l = 0; l < online[i].size(); ++l) {
        for (size_t k = 0; k < 4 && online[i][l][k].defined(); ++k) {
          online_list.push_back(online[i][l][k].requires_grad_());
          target_list.push_back(target[i][l][k]);
        }
      }
    }
    optimizer = std::make_unique<torch::optim::AdamW>(
        online_list, torch::optim::AdamWOptions(options.lr)
                         .betas({options.beta1, options.beta2})
                         .weight_decay(options.weight_decay));
  }

  std::vector<torch::Tensor> wanted(const rl::Transitions& rows, const torch::Tensor& noise) const {
    torch::NoGradGuard guard;
    const auto output = forward(policy, rows.next_observation).chunk(2, 1);
    const auto log_std = output[1].clamp(-20, 2);
    const auto raw = output[0] + log_std.exp() * noise;
    const auto shrinks = 2 * (std::numbers::ln2 - raw - torch::softplus(-2 * raw));
    const auto log_prob =
        (-0.5 * noise.square() - log_std - 0.5 * std::log(2 * std::numbers::pi) - shrinks).sum(1);
    const auto x = torch::cat({rows.next_observation, torch::tanh(raw)}, 1);
    const auto base = options.reward_scale * rows.reward -
                      rows.discount * static_cast<float>(options.temperature) * log_prob;
    const auto last = static_cast<double>(options.atoms - 1);
    const auto at = ((base.unsqueeze(1) + rows.discount.unsqueeze(1) * atoms - options.value_low) *
                     (last / (options.value_high - options.value_low)))
                        .clamp(0, last);
    const auto below = at.floor().clamp_max(last - 1);
    const auto part = at - below;
    const auto k = below.to(torch::kInt64);
    std::vector<torch::Tensor> wanted;
    for (const auto& critic : target) {
      const auto chances = torch::softmax(forward(critic, x), 1);
      wanted.push_back(torch::zeros_like(chances)
                           .scatter_add_(1, k, chances * (1 - part))
                           .scatter_add_(1, k + 1, chances * part));
    }
    return wanted;
  }

  double update(const rl::Transitions& rows, const torch::Tensor& noise) {
    const auto aims = wanted(rows, noise);
    const auto x = torch::cat({rows.observation, rows.action}, 1);
    auto loss = torch::zeros({});
    for (size_t i = 0; i < 2; ++i) {
      loss = loss - (aims[i] * torch::log_softmax(forward(online[i], x), 1)).sum(1).mean();
    }
    optimizer->zero_grad();
    loss.backward();
    optimizer->step();
    torch::NoGradGuard guard;
    torch::_foreach_lerp_(target_list, online_list, options.target_rate);
    return loss.item<double>();
  }
};

/// The stream of a learner, the first of what it archives.
struct StreamOf {
  Stream stream;

  template <class... Rest>
  void operator()(Stream& first, Rest&... /*rest*/) {
    stream = first;
  }
};

torch::Tensor drawn(rl::FastSacLearner& learner, int64_t rows) {
  StreamOf probe;
  learner.archive(probe);
  auto noise = torch::empty({rows, kActions});
  for (int64_t i = 0; i < noise.numel(); ++i) {
    noise.data_ptr<float>()[i] = static_cast<float>(probe.stream.normal(i / kActions));
  }
  return noise;
}

void timeCritics(int64_t rows, Turns turns) {
  const rl::EnvSpec spec = {.name = "box",
                            .observation_shape = {kObservation},
                            .discrete = false,
                            .actions = kActions,
                            .low = std::vector<double>(kActions, -1),
                            .high = std::vector<double>(kActions, 1)};
  const rl::FastSacOptions options;
  rl::FastSacLearner learner(spec, {0, rows, rows}, options, Stream(1, "learner"));
  TorchCritics theirs(learner, options);
  torch::manual_seed(1);
  const rl::Batch batch = {
      {torch::randn({rows, kObservation}), torch::tanh(torch::randn({rows, kActions})),
       torch::randn({rows}), torch::randn({rows, kObservation}), torch::full({rows}, 0.97)},
      {},
      {},
      {}};
  const auto ours = [&] {
    learner.applyCritics(learner.criticGradients(batch));
    learner.moveTargets();
  };
  for (int i = 0; i < 3; ++i) {
    const torch::Tensor noise = drawn(learner, rows);
    ours();
    const double loss = theirs.update(batch.transitions, noise);
    FDG_CHECK(std::abs(learner.loss() - loss) < 1e-3 * loss, "both sides learn the same");
  }
  compare("FastSAC, update of the critics, batch " + std::to_string(rows), turns, ours,
          [&] { theirs.update(batch.transitions, torch::randn({rows, kActions})); });
}

}  // namespace

int main(int argc, char** argv) {
  torch::set_num_threads(1);
  const std::string what = argc > 1 ? argv[1] : "";
  const int repeats = argc > 2 ? std::max(1, std::atoi(argv[2])) : 7;
  if (what == "net") {
    timeNet(repeats);
    timePolyak(repeats);
  } else if (what == "critics") {
    timeCritics(256, {repeats, 16});
    timeCritics(1'024, {repeats, 4});
    timeCritics(8'192, {repeats, 1});
  } else {
    std::fputs("learn_bench net|critics [REPEATS]\n", stderr);
    return 2;
  }
  return 0;
}
