// Images from an environment to weights: bytes all the way to the network, convolutions beside
// plain LibTorch, who takes images and who refuses them.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>

#include "algorithms/envs/Environment.h"
#include "algorithms/parts/Evaluator.h"
#include "fdg/rl.h"
#include "fdg/rows.h"
#include "tests/unit/parts/QWorker.h"

namespace fdg::rl {
namespace {

/// One half of the picture is bright; action 1 says that it is the right one. Five pictures an
/// episode.
struct Halves {
  static constexpr int64_t kSize = 36;
  int64_t right = 0, steps = 0;

  static EnvSpec spec() {
    return {.name = "halves",
            .observation_shape = {1, kSize, kSize},
            .actions = 2,
            .observation_type = torch::kByte};
  }
  void reset(Draw& draw) {
    steps = 0;
    right = draw.below(2);
  }
  StepResult step(int64_t action, Draw& draw) {
    const double reward = action == right ? 3 : -2;
    right = draw.below(2);
    return {.reward = reward, .terminated = ++steps == 5};
  }
  void observe(std::span<uint8_t> pixels) const {
    for (int64_t i = 0; i < kSize * kSize; ++i) {
      const bool is_right = i % kSize >= kSize / 2;
      pixels[static_cast<size_t>(i)] =
          is_right == (right == 1) ? static_cast<uint8_t>(255 - steps) : 0;
    }
  }
  template <class A>
  void archive(A& a) {
    a(right, steps);
  }
};

const DqnOptions kOptions = {
    .hidden = {24}, .gamma = 0.9, .n_step = 2, .dueling = true, .clip_rewards = true};

EnvSpec gameSpec() {
  return {.name = "game",
          .observation_shape = {4, 84, 84},
          .actions = 6,
          .observation_type = torch::kByte};
}

torch::Tensor pictures(Stream& stream, const EnvSpec& spec, int64_t rows) {
  std::vector<int64_t> shape = spec.observation_shape;
  shape.insert(shape.begin(), rows);
  auto bytes = torch::empty(shape, torch::kByte);
  for (uint8_t& byte : std::span(bytes.data_ptr<uint8_t>(), static_cast<size_t>(bytes.numel()))) {
    byte = static_cast<uint8_t>(stream.below(0, 256));
  }
  return bytes;
}

/// What a reader of the saved tensors would write.
torch::Tensor qByTorch(const NamedTensors& named, const torch::Tensor& images) {
  std::map<std::string, torch::Tensor> p(named.begin(), named.end());
  torch::Tensor x = images.to(torch::kFloat32) / 255;
  const int64_t strides[] = {4, 2, 1};
  for (int l = 0; l < 3; ++l) {
    const std::string name = "image." + std::to_string(l);
    x = torch::relu(torch::conv2d(x, p.at(name + ".weight"), p.at(name + ".bias"), strides[l]));
  }
  x = x.flatten(1);
  const std::string head = p.contains("dueling.0.weight") ? "dueling." : "q.";
  x = torch::relu(torch::linear(x, p.at(head + "0.weight"), p.at(head + "0.bias")));
  x = torch::linear(x, p.at(head + "1.weight"), p.at(head + "1.bias"));
  if (head == "q.") {
    return x;
  }
  const auto advantage = x.slice(1, 0, x.size(1) - 1);
  return x.slice(1, x.size(1) - 1) + advantage - advantage.mean(1, true);
}

std::vector<std::pair<EnvSpec, DqnOptions>> networks() {
  EnvSpec wide = gameSpec();
  wide.observation_shape = {3, 36, 57};
  return {{gameSpec(), {.hidden = {512}, .dueling = true}}, {wide, {.hidden = {20}}}};
}

TEST(NatureCnn, HasTheSizesOfThePaper) {
  const NetworkLayout layout = qLayout(gameSpec(), {.hidden = {512}});
  EXPECT_EQ(layout.text(), "image nature 4 84 84; q relu 3136 512 6");
  EXPECT_EQ(layout.block("image").parameters(), 8224 + 32832 + 36928);
  EXPECT_EQ(NetworkLayout::parse(layout.text()).parameters(), layout.parameters());
  for (const char* wrong :
       {"image nature 4 84", "image nature 4 84 35", "image nature 4 84 84 84"}) {
    EXPECT_THROW(NetworkLayout::parse(wrong), UserError) << wrong;
  }
}

TEST(NatureCnn, AgreesWithAPlainStackOfLibTorch) {
  Stream stream(1, "images");
  for (const auto& [spec, options] : networks()) {
    const DqnLearner learner(spec, options, Stream(2, "learner"));
    const Weights weights = learner.weights();
    const torch::Tensor images = pictures(stream, spec, 5);
    QNetwork network(qLayout(spec, options));
    const auto q = network.forward(weights.flat.data_ptr<float>(), images);
    std::vector<float> d_q(q.size());
    stream.fillNormal(0, d_q);
    const torch::Tensor ours = torch::tensor(std::vector<float>(q.begin(), q.end())).view({5, 6});
    Weights gradient = {torch::empty_like(weights.flat), weights.network};
    network.backward(weights.flat.data_ptr<float>(), images, d_q, gradient.flat.data_ptr<float>());

    NamedTensors named = weights.parameters();
    for (auto& [name, tensor] : named) {
      tensor.requires_grad_();
    }
    const torch::Tensor theirs = qByTorch(named, images);
    (theirs * torch::tensor(d_q).view({5, 6})).sum().backward();
    EXPECT_TRUE(torch::allclose(ours, theirs.detach(), 1e-5, 1e-5));
    const NamedTensors gradients = gradient.parameters();
    for (size_t i = 0; i < named.size(); ++i) {
      EXPECT_EQ(gradients[i].first, named[i].first);
      EXPECT_TRUE(torch::allclose(gradients[i].second, named[i].second.grad(), 1e-4, 1e-4))
          << named[i].first;
    }
  }
}

TEST(NatureCnn, GivesAnImageTheSameBitsInEveryBatch) {
  Stream stream(3, "images");
  for (const auto& [spec, options] : networks()) {
    const DqnLearner learner(spec, options, Stream(2, "learner"));
    const torch::Tensor flat = learner.weights().flat;
    const torch::Tensor images = pictures(stream, spec, 9);
    QNetwork whole(qLayout(spec, options));
    QNetwork part(qLayout(spec, options));
    const auto all = whole.forward(flat.data_ptr<float>(), images);
    for (const int64_t size : {1, 2, 4, 5}) {
      for (int64_t first = 0; first < 9; first += size) {
        const auto some = part.forward(flat.data_ptr<float>(),
                                       images.narrow(0, first, std::min<int64_t>(size, 9 - first)));
        EXPECT_EQ(0, std::memcmp(some.data(), all.data() + first * 6, some.size_bytes()))
            << "rows from " << first << " in batches of " << size;
      }
    }
  }
}

TEST(Images, OfAnotherTypeOrSizeAreRefused) {
  const DqnLearner learner(gameSpec(), kOptions, Stream(1, "learner"));
  QActor actor(gameSpec(), {0, 2, 2}, kOptions, Stream(1, "actor"));
  actor.load(learner.weights());
  EXPECT_EQ(actor.act(torch::zeros({2, 4, 84, 84}, torch::kByte), 0).size(0), 2);
  EXPECT_THROW(actor.act(torch::zeros({2, 4, 84, 84}), 0), UserError);
  EXPECT_THROW(actor.act(torch::zeros({2, 4, 84, 80}, torch::kByte), 0), UserError);
  EnvSpec flat = gameSpec();
  flat.observation_shape = {210, 160, 3};
  EXPECT_THROW(qLayout(flat, {}), UserError);
}

QWorker worker(Rows rows) { return {environment<Halves>(), rows, kOptions}; }

TEST(Images, AreBytesFromTheEnvironmentThroughTheReplayToTheLearner) {
  DqnLearner learner(Halves::spec(), kOptions, Stream(1, "learner"));
  PrioritizedReplay replay(Halves::spec(), {.capacity = 200, .frames = true}, Stream(1, "replay"));
  QWorker player = worker({0, 3, 3});
  EXPECT_EQ(player.obs.scalar_type(), torch::kByte);
  for (int64_t at = 0; at < 100; ++at) {
    const Experience experience = player.step(learner.weights(), at);
    EXPECT_EQ(player.obs.scalar_type(), torch::kByte);
    EXPECT_EQ(experience.transitions.observation.scalar_type(), torch::kByte);
    replay.add(experience);
  }
  EXPECT_LE(replay.frames(), 2 * 5 + 2) << "there are no other pictures";
  const Batch batch = replay.sample({0, 32, 32});
  EXPECT_EQ(batch.transitions.next_observation.scalar_type(), torch::kByte);
  EXPECT_EQ(batch.transitions.observation.max().item<int64_t>(), 255);
  EXPECT_LE(batch.transitions.reward.abs().max().item<float>(), 1.9f) << "signs are learned";
  replay.update(learner.apply(learner.gradients(batch), batch));
}

TEST(Images, ExperienceOfReplicasIsTheSequentialOne) {
  const Weights weights = DqnLearner(Halves::spec(), kOptions, Stream(1, "learner")).weights();
  QWorker whole = worker({0, 5, 5}), left = worker({0, 2, 5}), right = worker({2, 5, 5});
  for (int64_t at = 0; at < 30; ++at) {
    const Experience all = whole.step(weights, at);
    const Experience first = left.step(weights, at), second = right.step(weights, at);
    value::Parts expected, got;
    value::pack(all, expected);
    value::pack(value::concatRows<Experience>(std::vector{&first, &second}), got);
    ASSERT_TRUE(value::sameParts(expected, got)) << "step " << at;
  }
}

TEST(Images, AreLearnedFrom) {
  DqnOptions options = kOptions;
  options.gamma = 0;
  options.n_step = 1;
  options.explore_start = options.explore_end = 1;
  DqnLearner learner(Halves::spec(), options, Stream(1, "learner"));
  UniformReplay replay(Halves::spec(), 500, Stream(1, "replay"));
  VectorEnv envs(environment<Halves>(), {0, 8, 8}, Stream(1, "env"));
  Stream actions(1, "actions");
  NStep nstep(1, 0, /*signs=*/true);
  torch::Tensor obs = envs.reset();
  for (int step = 0; step < 150; ++step) {
    auto action = torch::empty({8}, torch::kInt64);
    for (int64_t r = 0; r < 8; ++r) {
      action[r] = actions.below(r, 2);
    }
    const Outcome outcome = envs.step(action);
    replay.add(nstep.push(obs, action, outcome));
    obs = outcome.observation;
    learner.apply(learner.gradients(replay.sample({0, 16, 16})));
  }
  for (int step = 0; step < 20; ++step) {
    const torch::Tensor greedy = actGreedily(Halves::spec(), learner.weights(), obs);
    const Outcome outcome = envs.step(greedy);
    EXPECT_TRUE(torch::equal(outcome.reward, torch::full({8}, 3.0f)));
    obs = outcome.observation;
  }
}

TEST(Images, AreNotForDenseNetworks) {
  const EnvSpec discrete = gameSpec();
  EnvSpec continuous = gameSpec();
  continuous.discrete = false;
  continuous.actions = 2;
  continuous.low = {-1, -1};
  continuous.high = {1, 1};
  const Rows rows = {0, 2, 2};
  const auto stream = [] { return Stream(1, "x"); };
  const std::vector<std::function<void()>> parts = {
      [&] { actorCritic(discrete, PpoOptions{}); },
      [&] { centralCritic(discrete, {64}, true); },
      [&] { A2cLearner(discrete, 1, {}, stream()); },
      [&] { A3cParameters(discrete, 1, {}, stream()); },
      [&] { SquashedActor(continuous, rows, SacOptions{}, stream()); },
      [&] { SacLearner(continuous, rows, {}, stream()); },
      [&] { DpgLearner(continuous, rows, {}, stream()); },
      [&] { FastSacLearner(continuous, rows, {}, stream()); },
  };
  for (size_t i = 0; i < parts.size(); ++i) {
    try {
      parts[i]();
      ADD_FAILURE() << "part " << i << " took images";
    } catch (const UserError& error) {
      EXPECT_STREQ(error.what(),
                   "game gives images (4 × 84 × 84 bytes), and the networks of this program are "
                   "dense: dqn and apex have convolutions for images")
          << "part " << i;
    }
  }
}

struct WrongHalves : Halves {
  static EnvSpec spec() {
    EnvSpec spec = Halves::spec();
    spec.observation_type = torch::kFloat32;
    return spec;
  }
};

TEST(Images, ASpecMustSayWhatObserveFills) {
  try {
    environment<WrongHalves>();
    ADD_FAILURE() << "observations of another type than the spec says were taken";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "halves: EnvSpec::observation_type must be kByte, because its observe fills "
                 "uint8_t");
  }
}

}  // namespace
}  // namespace fdg::rl
