// mode: inline: in threads only, where the plan says that the block may be called, without a
// queue's keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/place/Explain.h"
#include "runtime/place/Rules.h"
#include "tests/unit/place/Placed.h"

namespace fdg::place {
namespace {

using ::testing::HasSubstr;

constexpr const char* kThreaded =
    "groups:\n  w: {fragments: [environment, actor], replicas: 2, in: threads}\n"
    "  l: {fragments: rest, in: threads}\nboundaries:\n";

TEST(Inline, IsDrainedByCalls) {
  const Manifest plan = apexPlan();
  const Policy policy = policyFrom(
      kThreaded + std::string("  default: {window: 4}\n  priorities: {mode: inline, ahead: any}\n"
                              "  experience: {mode: inline, behind: 3}\n  weights: {mode: newest}\n"));
  const Placement placement = place(plan, policy, machine(4)).orThrow();
  EXPECT_EQ(placement.boundaries[4].mode, Mode::inline_call);
  EXPECT_EQ(placement.boundaries[4].behind, 3);
  EXPECT_EQ(placement.boundaries[8].ahead, -1);
  EXPECT_EQ(rateClasses(plan, placement.boundaries),
            (std::vector<std::vector<int>>{{0, 1}, {2, 3}, {4}}));
  const std::string text = explainPlacement(plan, policy, placement, machine(4), {});
  EXPECT_THAT(text, HasSubstr("  inline   ahead 16, behind 3    2 calls\n"));
  EXPECT_THAT(text, HasSubstr("  inline   ahead any, behind 16  1 calls\n"));
  EXPECT_THAT(text, HasSubstr("  ordered  window 4              1 local\n"));
}

TEST(Inline, NeedsThreads) {
  EXPECT_EQ(errorOf(apexPlan(),
                    "groups:\n  all: {fragments: rest}\nboundaries:\n"
                    "  experience: {mode: inline}\n"),
            "p.yaml:4:3: boundary experience (append at apex.cpp:24) asks for mode inline, in "
            "which the sender's thread does what the receiver would do with the message; that "
            "needs in: threads in every group. Say so, or use drain");
}

TEST(Inline, NeedsTheFact) {
  Manifest plan = apexPlan();
  EXPECT_THAT(errorOf(plan, kThreaded + std::string("  batch: {mode: inline}\n")),
              HasSubstr("p.yaml:5:3: boundary batch (scatter at apex.cpp:26) cannot be called "
                        "inline: the program does not mark it loose"));
  plan.boundaries[4].callable = {false, "`replay.add(experience)` at line 25 uses `replay`."};
  EXPECT_EQ(errorOf(plan, kThreaded + std::string("  append: {mode: inline}\n")),
            "p.yaml:5:3: boundary experience (append at apex.cpp:24) cannot be called inline: "
            "`replay.add(experience)` at line 25 uses `replay`. Keep it ordered, or use another "
            "policy");
  EXPECT_EQ(errorOf(plan, kThreaded + std::string("  append: {mode: drain}\n")), "");
}

TEST(Inline, HasNoQueue) {
  for (const char* key : {"take", "pack"}) {
    EXPECT_EQ(errorOf(apexPlan(), kThreaded + std::string("  append: {mode: drain, ") + key +
                                      ": 50}\n  experience: {mode: inline}\n"),
              std::string("p.yaml:5:3: ") + key +
                  " is for drained boundaries; boundary experience (append at apex.cpp:24) is "
                  "inline. Add mode: drain, or leave the key out");
  }
  EXPECT_EQ(errorOf(apexPlan(), kThreaded + std::string("  experience: {mode: inline, window: 3}\n")),
            "p.yaml:5:3: window is for messages under way; boundary experience (append at "
            "apex.cpp:24) is inline and has none. Leave it out");
}

TEST(Inline, IsSaidBoundaryByBoundary) {
  EXPECT_THAT(readPolicy(kThreaded + std::string("  default: {mode: inline}\n"), "p.yaml").error(),
              HasSubstr("p.yaml:5:3: the default mode is always ordered"));
  Manifest plan = apexPlan();
  BoundaryInfo choice = plan.boundaries[6];
  choice.id = static_cast<int>(plan.boundaries.size());
  choice.name = "choice1";
  choice.implicit = true;
  choice.only_for_drain = 4;
  plan.boundaries.push_back(choice);
  EXPECT_THAT(errorOf(plan, kThreaded + std::string("  choice1: {mode: inline}\n")),
              HasSubstr("such choices are always ordered"));
  const Placement placement =
      place(plan, policyFrom(kThreaded + std::string("  experience: {mode: inline}\n")), machine(4))
          .orThrow();
  EXPECT_TRUE(isUnused(placement.boundaries, plan.boundaries.back()));
}

TEST(Inline, TakesReductionsAsDrainDoes) {
  PlanBuilder b("a3c");
  b.fragment("actor", {"actor"}, {"actor"});
  b.fragment("parameters", {"parameters"}, {"parameters"});
  BoundaryInfo& grads = b.boundary("grads", OperationKind::reduce_mean, "actor", {"parameters"});
  grads.loose = true;
  grads.drainable = grads.callable = {};
  const auto yaml = [](int replicas) {
    return "groups:\n  a: {fragments: [actor], replicas: 2, in: threads}\n"
           "  p: {fragments: rest, in: threads, replicas: " +
           std::to_string(replicas) + "}\nboundaries:\n  grads: {mode: inline}\n";
  };
  EXPECT_EQ(errorOf(b.plan, yaml(1)), "");
  EXPECT_THAT(errorOf(b.plan, yaml(2)), HasSubstr("they would drift apart"));
}

}  // namespace
}  // namespace fdg::place
