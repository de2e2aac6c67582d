// What environments must not give: numbers that are none, and actions without bounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "algorithms/envs/Environment.h"
#include "algorithms/envs/VectorEnv.h"
#include "tests/unit/envs/MessageOf.h"

namespace fdg::rl {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Three numbers; one of them is none at the third step of the second episode.
struct Overflowing {
  int64_t episode = 0, count = 0;

  static EnvSpec spec() {
    return {.name = "Overflowing",
            .observation_shape = {3},
            .discrete = false,
            .actions = 1,
            .low = {0},
            .high = {1},
            .time_limit = 4};
  }
  void reset(Draw& /*draw*/) {
    ++episode;
    count = 0;
  }
  StepResult step(std::span<const float> action) {
    ++count;
    return {.reward = action[0] > 1 ? 1e300 : 0};
  }
  void observe(std::span<float> observation) const {
    std::ranges::fill(observation, 1.0F);
    if (episode == 2 && count == 3) {
      observation[2] = std::numeric_limits<float>::infinity();
    }
  }
};

TEST(VectorEnv, NumbersThatAreNoneAreToldWithRowStepAndEntry) {
  VectorEnv envs(environment<Overflowing>(), {4, 6, 8}, Stream(1, "env"));
  envs.reset();
  for (int i = 0; i < 6; ++i) {
    envs.step(torch::zeros({2, 1}));
  }
  EXPECT_THAT(messageOf([&] {
                envs.step(torch::zeros({2, 1}));
              }),
              HasSubstr("Overflowing: entry 2 of the observation of row 4 at step 3 of its episode "
                        "is inf"));
  VectorEnv rich(environment<Overflowing>(), {4, 6, 8}, Stream(1, "env"));
  rich.reset();
  EXPECT_THAT(
      messageOf([&] {
        rich.step(torch::tensor({{0.F}, {2.F}}));
      }),
      AllOf(HasSubstr("the reward of row 5 at step 1 of its episode"), HasSubstr("finite")));
}

struct Boundless : Overflowing {
  static EnvSpec spec() {
    EnvSpec spec = Overflowing::spec();
    spec.high = {std::numeric_limits<double>::infinity()};
    return spec;
  }
};
struct Backward : Overflowing {
  static EnvSpec spec() {
    EnvSpec spec = Overflowing::spec();
    spec.high = {-1};
    return spec;
  }
};

TEST(VectorEnv, ActionsWithoutBoundsAreRefused) {
  EXPECT_THAT(messageOf([] { environment<Boundless>(); }),
              HasSubstr("dimension 0 of its actions goes from 0 to inf"));
  EXPECT_THAT(messageOf([] { environment<Backward>(); }), HasSubstr("from 0 to -1"));
}

}  // namespace
}  // namespace fdg::rl
