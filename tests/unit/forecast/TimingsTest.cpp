#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/host/Profile.h"
#include "runtime/host/Timings.h"
#include "tests/unit/place/Plans.h"

namespace fdg::host {
namespace {

using ::testing::HasSubstr;
using Kind = StepRecord::Kind;

ScriptRecord actorScript() {
  ScriptRecord script{1, 2, 4, {5, 6}, {}};
  script.steps = {{Kind::receive, 0, 0.25, 0},
                  {Kind::send, 1, 0.5, 800},
                  {Kind::end, -1, 0.125, 0},
                  {Kind::end, -1, 0.125, 0}};
  return script;
}

TEST(Timings, ComeBackAsTheyWereWritten) {
  const Manifest plan = place::ppoPlan();
  const auto back = readTimings(writeTimings(plan, {actorScript()}), "t.json", plan).orThrow();
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0].fragment, 1);
  EXPECT_EQ(back[0].replicas, 2);
  EXPECT_EQ(back[0].of, 4);
  EXPECT_EQ(back[0].iterations, (std::vector<int64_t>{5, 6}));
  EXPECT_EQ(back[0].steps, actorScript().steps);
}

TEST(Timings, RefuseWhatIsNone) {
  const Manifest plan = place::ppoPlan();
  const std::string good = writeTimings(plan, {actorScript()});
  const auto with = [&](const std::string& old, const std::string& text) {
    std::string changed = good;
    changed.replace(changed.find(old), old.size(), text);
    return readTimings(changed, "t.json", plan).error();
  };
  EXPECT_THAT(readTimings("[", "t.json", plan).error(),
              HasSubstr("not a file that --timings wrote"));
  EXPECT_THAT(readTimings("{}", "t.json", plan).error(), HasSubstr("not a file that"));
  EXPECT_THAT(with("\"ppo\"", "\"apex\""), HasSubstr("timings of another program"));
  EXPECT_THAT(with("\"actor\"", "\"critic\""), HasSubstr("t.json: ppo has no \"critic\""));
  EXPECT_THAT(with("\"receive\"", "\"get\""), HasSubstr("what is the step \"get\"?"));
  EXPECT_THAT(with("0.25", "-1"), HasSubstr("a step takes from 0"));
  EXPECT_THAT(with("\"of\": 4", "\"of\": 1"), HasSubstr("2 of 1 replicas"));
}

TEST(Profile, KeepsTheLastEightIterations) {
  Profile profile({.id = 0, .replicas = {0, 1, 2}}, /*is_wanted=*/true);
  profile.beginLoop();
  for (int64_t i = 0; i < 20; ++i) {
    profile.beginIteration(i);
    profile.reach(Kind::receive, 3, nullptr);
    profile.drained(5, 0.5);  // while it waits
    profile.pass();
    profile.reach(Kind::end, -1, nullptr);
  }
  profile.endIteration();
  const ScriptRecord script = *profile.script();
  ASSERT_EQ(script.iterations.size(), 8u);
  EXPECT_EQ(script.iterations.front(), 12);
  ASSERT_EQ(script.steps.size(), 24u);
  EXPECT_EQ(script.steps[0].kind, Kind::drain);
  EXPECT_EQ(script.steps[1].kind, Kind::receive);
  EXPECT_EQ(script.steps[2].kind, Kind::end);
}

TEST(Profile, OnlyTheFirstReplicaKeepsOne) {
  Profile profile({.id = 0, .replicas = {1, 2, 2}}, /*is_wanted=*/true);
  profile.beginLoop();
  profile.beginIteration(0);
  profile.endIteration();
  EXPECT_FALSE(profile.script().has_value());
}

}  // namespace
}  // namespace fdg::host
