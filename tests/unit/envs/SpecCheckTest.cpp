// Environments of one's own whose spec or functions make no sense: each is refused by a sentence
// that names the environment, the field and what is allowed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "algorithms/envs/Environment.h"
#include "algorithms/envs/WorldsOf.h"
#include "tests/unit/envs/MessageOf.h"

namespace fdg::rl {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// As a test sets it: its spec, how many numbers observe() gives, what it draws below, its reward.
struct Odd {
  inline static EnvSpec own;
  inline static size_t fills;
  inline static int64_t drawn;
  inline static double reward;

  static EnvSpec spec() { return own; }
  void reset(Draw& draw) { draw.below(drawn); }
  StepResult step(int64_t /*action*/) { return {.reward = reward}; }
  void observe(std::span<float> out) const { std::fill_n(out.data(), fills, 1.0F); }
};

struct OddWorld {
  static EnvSpec spec() { return Odd::own; }
  void reset(Draw& draw) { draw.below(Odd::drawn); }
  WorldEnd step(std::span<const int64_t> /*actions*/, std::span<double> rewards) {
    std::ranges::fill(rewards, Odd::reward);
    return {};
  }
  void observe(int64_t /*agent*/, std::span<float> out) const {
    std::fill_n(out.data(), Odd::fills, 1.0F);
  }
};

class SpecCheck : public testing::Test {
 protected:
  SpecCheck() {
    Odd::own = {.name = "Odd", .observation_shape = {3}, .discrete = true, .actions = 2};
    Odd::fills = 3;
    Odd::drawn = 5;
    Odd::reward = 1;
  }

  static std::string said(const std::function<void(EnvSpec&)>& change) {
    const EnvSpec good = Odd::own;
    change(Odd::own);
    std::string message = messageOf([] { environment<Odd>(); });
    Odd::own = good;
    return message;
  }

  static std::string saidByStep() {
    return messageOf([] {
      VectorEnv envs(environment<Odd>(), {4, 6, 8}, Stream(1, "env"));
      envs.reset();
      envs.step(torch::zeros({2}, torch::kLong));
    });
  }
  static std::string saidByWorld() {
    Odd::own.agents = 2;
    std::string message = messageOf([] {
      VectorEnv envs(world<OddWorld>(), {4, 6, 8}, Stream(1, "env"));
      envs.reset();
      envs.step(torch::zeros({2}, torch::kLong));
    });
    Odd::own.agents = 1;
    return message;
  }
};

TEST_F(SpecCheck, TakesWhatMakesSense) {
  EXPECT_EQ(saidByStep(), "nothing was thrown");
  EXPECT_EQ(saidByWorld(), "nothing was thrown");
}

TEST_F(SpecCheck, NamesTheFieldThatMakesNone) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(said([](EnvSpec& s) { s.name = ""; }), HasSubstr("EnvSpec::name"));
  for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{
           {0}, {-3}, {4, 0}, {kHuge}, {kHuge, kHuge}, {1 << 16, 1 << 16}}) {
    EXPECT_THAT(said([&](EnvSpec& s) { s.observation_shape = shape; }),
                AllOf(StartsWith("Odd: EnvSpec::observation_shape is {"),
                      HasSubstr("allowed: dimensions of at least 1")));
  }
  EXPECT_THAT(said([](EnvSpec& s) { s.observation_shape = {}; }),
              HasSubstr("Odd: EnvSpec::observation_shape is empty"));
  for (const int64_t actions : {int64_t{0}, int64_t{-1}, kHuge}) {
    EXPECT_THAT(
        said([&](EnvSpec& s) { s.actions = actions; }),
        HasSubstr("Odd: EnvSpec::actions is " + std::to_string(actions) + "; allowed: 1 to"));
  }
  EXPECT_THAT(said([](EnvSpec& s) { s.time_limit = -1; }),
              AllOf(HasSubstr("Odd: EnvSpec::time_limit is -1"), HasSubstr("0 for no limit")));
  EXPECT_THAT(said([](EnvSpec& s) { s.agents = 0; }), HasSubstr("Odd: EnvSpec::agents is 0"));
  EXPECT_THAT(said([](EnvSpec& s) { s.agents = 2; }),
              AllOf(HasSubstr("Odd: EnvSpec::agents is 2"), HasSubstr("WorldsOf.h")));
  EXPECT_THAT(said([](EnvSpec& s) { s.observation_type = torch::kDouble; }),
              HasSubstr("Odd: EnvSpec::observation_type must be kFloat32"));
}

TEST_F(SpecCheck, ObservationsHaveTheSizeOfTheSpec) {
  for (const bool is_world : {false, true}) {
    const auto said = [&] { return is_world ? saidByWorld() : saidByStep(); };
    Odd::fills = 4;
    EXPECT_THAT(said(), AllOf(StartsWith("Odd: its observe() fills entry 3 of the observation"),
                              HasSubstr("allowed are entries 0 to 2")));
    Odd::fills = 300;
    EXPECT_THAT(said(), HasSubstr("fills entry 299"));
    Odd::fills = 2;
    EXPECT_THAT(said(),
                HasSubstr("Odd: its observe() leaves entry 2 of the observation as it was"));
    Odd::fills = 0;
    EXPECT_THAT(said(), HasSubstr("leaves entry 0"));
    Odd::fills = 3;
  }
}

TEST_F(SpecCheck, DrawsFromNothingAreTold) {
  for (const int64_t none : {0, -7}) {
    Odd::drawn = none;
    const std::string sentence = "Odd: draw.below(" + std::to_string(none) + ") for row 4: ";
    EXPECT_THAT(saidByStep(), AllOf(StartsWith(sentence), HasSubstr("at least 1")));
    EXPECT_THAT(saidByWorld(), StartsWith(sentence));
  }
}

TEST_F(SpecCheck, RewardsBeyondFloat32AreTold) {
  Odd::reward = 1e300;
  EXPECT_THAT(saidByStep(),
              AllOf(StartsWith("Odd: the reward of row 4 at step 1 of its episode is 1e+300"),
                    HasSubstr("float32, up to 3.4e38")));
  Odd::reward = std::numeric_limits<double>::infinity();
  EXPECT_THAT(saidByStep(), AllOf(HasSubstr("is inf"), HasSubstr("finite")));
}

}  // namespace
}  // namespace fdg::rl
