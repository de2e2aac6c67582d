// Faults of other libraries' loops, each as a small case with its right value: what a reset makes
// of learning rows, environments that are copies of each other, and what goes on after a resume.
#include <gtest/gtest.h>

#include <set>

#include "fdg/archive.h"
#include "fdg/rl.h"
#include "tests/unit/envs/Counter.h"

namespace fdg::rl {
namespace {

struct Row {
  float from, to, reward, discount;
  bool operator==(const Row&) const = default;
};

/// Learning rows of 10 steps. `by_hand`: a fresh environment after each end instead of its own
/// reset in the same step.
std::vector<Row> learningRows(bool by_hand) {
  auto made = [] {
    return std::make_unique<VectorEnv>(environment<Counter>(), Rows{0, 1, 1}, Stream(1, "env"));
  };
  auto env = made();
  NStep nstep(1, 0.5);
  const auto action = torch::zeros({1}, torch::kInt64);
  std::vector<Row> rows;
  auto obs = env->reset();
  for (int i = 0; i < 10; ++i) {
    const Outcome outcome = env->step(action);
    const Transitions t = nstep.push(obs, action, outcome);
    for (int64_t r = 0; r < t.reward.size(0); ++r) {
      rows.push_back({t.observation[r].item<float>(), t.next_observation[r].item<float>(),
                      t.reward[r].item<float>(), t.discount[r].item<float>()});
    }
    obs = outcome.observation;
    if (by_hand && outcome.truncated.item<bool>()) {
      env = made();
      obs = env->reset();
    }
  }
  return rows;
}

TEST(Cases, Case25EveryStepIsALearningRowAndNoResetIsOne) {
  std::vector<Row> wanted;
  for (int i = 0; i < 10; ++i) {
    const auto count = static_cast<float>(i % 4);
    wanted.push_back({count, count + 1, count + 1, 0.5F});  // 3 -> 4 too, never 4 -> 0
  }
  EXPECT_EQ(learningRows(/*by_hand=*/false), wanted);
}

TEST(Cases, Case26ResettingByHandGivesTheSameLearningRows) {
  EXPECT_EQ(learningRows(/*by_hand=*/true), learningRows(/*by_hand=*/false));
}

TEST(Cases, Case27EnvironmentsOfOneRunDifferAndComeAgain) {
  const auto first = [] { return VectorEnv("CartPole-v1", {0, 8, 8}, Stream(43, "env")).reset(); };
  const torch::Tensor obs = first();
  std::set<float> different;
  for (int64_t row = 0; row < 8; ++row) {
    different.insert(obs[row][0].item<float>());
  }
  EXPECT_EQ(different.size(), 8U);
  EXPECT_TRUE(obs.equal(first()));
}

TEST(Cases, Case28ThirtyTwoCheetahsGoTheSameWayTwice) {
  try {
    envSpec("HalfCheetah-v5");
  } catch (const UserError& error) {
    GTEST_SKIP() << error.what();
  }
  const auto walk = [] {
    VectorEnv envs("HalfCheetah-v5", {0, 32, 32}, Stream(123, "env"));
    std::vector<torch::Tensor> seen = {envs.reset()};
    for (int i = 0; i < 10; ++i) {
      const Outcome outcome = envs.step(torch::full({32, 6}, 0.1F * static_cast<float>(i) - 0.5F));
      seen.push_back(outcome.observation);
      seen.push_back(outcome.reward.unsqueeze(1));
    }
    return torch::cat(seen, 1);
  };
  EXPECT_TRUE(walk().equal(walk()));
}

/// dqn's loop with a prioritized replay, to be stopped anywhere.
class Training {
 public:
  explicit Training(uint64_t seed)
      : envs_("CartPole-v1", kRows, Stream(seed, "env")),
        actor_(spec_, kRows, options_, Stream(seed, "actor")),
        replay_(spec_, {.capacity = 200}, Stream(seed, "replay")),
        learner_(spec_, options_, Stream(seed, "learner")),
        obs_(envs_.reset()) {}

  /// The losses of so many iterations.
  std::vector<double> run(int iterations) {
    std::vector<double> losses;
    for (int i = 0; i < iterations; ++i, ++step_) {
      actor_.load(learner_.weights());
      const torch::Tensor action = actor_.act(obs_, step_);
      const Outcome outcome = envs_.step(action);
      replay_.add(nstep_.push(obs_, action, outcome, actor_.values(outcome)));
      obs_ = outcome.observation;
      if (replay_.size() >= 20) {
        const Batch batch = replay_.sample({0, 16, 16});
        replay_.update(learner_.apply(learner_.gradients(batch), batch));
        losses.push_back(learner_.loss());
      }
    }
    return losses;
  }
  torch::Tensor parameters() const { return learner_.weights().flat; }

  template <class A>
  void archive(A& a) {
    a(envs_, actor_, nstep_, replay_, learner_, obs_, step_);
  }

 private:
  static constexpr Rows kRows = {0, 4, 4};

  EnvSpec spec_ = envSpec("CartPole-v1");
  DqnOptions options_ = {.hidden = {16}, .explore_steps = 60};
  VectorEnv envs_;
  QActor actor_;
  NStep nstep_{2, 0.99};
  PrioritizedReplay replay_;
  DqnLearner learner_;
  torch::Tensor obs_;
  int64_t step_ = 0;
};

value::Parts savedParts(Training& training) {
  value::Parts parts;
  Archive::saver(parts)(training);
  return parts;
}

TEST(Cases, Case29AResumedStepGivesTheParametersOfAnUninterruptedOne) {
  Training whole(1), resumed(2);
  whole.run(40);
  value::Parts parts = savedParts(whole);
  Archive restorer = Archive::restorer(parts);
  restorer(resumed);
  restorer.finish();
  EXPECT_TRUE(resumed.parameters().equal(whole.parameters()));
  whole.run(1);
  resumed.run(1);
  EXPECT_TRUE(resumed.parameters().equal(whole.parameters()));
}

TEST(Cases, Case30TwoHalvesAreTheWhole) {
  Training whole(1), half(1), other(7);
  const std::vector<double> curve = whole.run(100);
  std::vector<double> halves = half.run(50);
  value::Parts parts = savedParts(half);
  Archive::restorer(parts)(other);
  const std::vector<double> rest = other.run(50);
  halves.insert(halves.end(), rest.begin(), rest.end());
  EXPECT_EQ(halves, curve);
}

TEST(Cases, Case32AStateThatIsCutShortOrLongerIsRefused) {
  Training training(1);
  training.run(20);
  const value::Parts parts = savedParts(training);
  value::Parts shorter = parts, longer = parts, fewer = parts;
  shorter.bytes.pop_back();
  longer.bytes.push_back('x');
  fewer.tensors.pop_back();
  for (value::Parts* bad : {&shorter, &longer, &fewer}) {
    Training other(2);
    Archive restorer = Archive::restorer(*bad);
    EXPECT_THROW(
        {
          restorer(other);
          restorer.finish();
        },
        UserError);
  }
}

}  // namespace
}  // namespace fdg::rl
