#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/place/Rules.h"
#include "runtime/place/Traffic.h"
#include "tests/unit/place/Placed.h"

namespace fdg::place {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(Facts, ReplicasTheFactsForbidAreRefusedWithTheirReason) {
  Manifest plan = ppoPlan();
  plan.fragments[2].replicable = {false,
                                  "`done` at line 31 may differ between replicas; reduce_any it"};
  EXPECT_THAT(
      errorOf(plan, "groups:\n  l: {fragments: learner, replicas: 2}\n  r: {fragments: rest}\n"),
      HasSubstr("p.yaml:2:3: group l has 2 replicas, but fragment learner cannot be replicated: "
                "`done` at "
                "line 31 may differ"));
  EXPECT_EQ(
      errorOf(plan, "groups:\n  l: {fragments: learner}\n  r: {fragments: rest, replicas: 2}\n"),
      "");
}

TEST(Facts, ApproximateFragmentsNeedThePolicysConsent) {
  const std::string groups =
      "groups:\n  all: {fragments: [buffer], replicas: 2}\n  rest: {fragments: rest}\n";
  Manifest plan = apexPlan();
  plan.boundaries[4].operation = OperationKind::gather;
  EXPECT_THAT(errorOf(plan, groups),
              HasSubstr("replicas of fragment buffer together are not the same as one: "
                        "replay (PrioritizedReplay) samples from its own share"));
  EXPECT_THAT(errorOf(plan, groups), HasSubstr("approximate: true"));
  EXPECT_EQ(errorOf(plan, groups + "approximate: true\n"), "");
}

TEST(Facts, LooseningNeedsTheMarkAndTheFact) {
  const std::string groups = "groups:\n  all: {fragments: rest}\nboundaries:\n";
  EXPECT_THAT(
      errorOf(ppoPlan(), groups + "  weights: {mode: newest}\n"),
      HasSubstr(
          "p.yaml:4:3: boundary weights (broadcast at ppo.cpp:20) cannot be read newest only: the "
          "program does not mark it loose"));
  EXPECT_THAT(errorOf(apexPlan(), groups + "  experience: {mode: newest}\n"),
              HasSubstr("cannot be read newest only: its consumer would lose values"));
  EXPECT_THAT(errorOf(apexPlan(), groups + "  broadcast: {mode: drain}\n"),
              HasSubstr("boundary weights (broadcast at apex.cpp:21) cannot be drained: it is read "
                        "by a condition"));
  EXPECT_EQ(errorOf(apexPlan(), groups + "  broadcast: {mode: newest}\n"), "");
  EXPECT_EQ(
      errorOf(apexPlan(), groups + "  broadcast: {mode: drain}\n  weights: {mode: ordered}\n"), "");
}

TEST(Facts, DrainedReductionsNeedOneConsumer) {
  PlanBuilder b("a3c");
  b.fragment("actor", {"actor"}, {"actor"});
  b.fragment("parameters", {"parameters"}, {"parameters"});
  BoundaryInfo& grads = b.boundary("grads", OperationKind::reduce_mean, "actor", {"parameters"});
  grads.loose = true;
  grads.drainable = {};
  grads.newest_able = {};
  const auto yaml = [](int parameters, const char* mode) {
    return "groups:\n  a: {fragments: actor, replicas: 4}\n  p: {fragments: parameters, "
           "replicas: " +
           std::to_string(parameters) + "}\nboundaries:\n  grads: {mode: " + mode + "}\n";
  };
  EXPECT_EQ(errorOf(b.plan, yaml(1, "drain")), "");
  EXPECT_THAT(errorOf(b.plan, yaml(2, "drain")),
              HasSubstr("they would drift apart; it needs replicas: 1 in group p"));
  EXPECT_THAT(errorOf(b.plan, yaml(1, "newest")),
              HasSubstr("a reduction needs a term of every replica"));
  b.plan.boundaries[0].producer_needs_result = true;
  EXPECT_THAT(errorOf(b.plan, yaml(1, "drain")),
              HasSubstr("the fragment that gives a term also reads the result"));
  b.plan.boundaries[0].producer_needs_result = false;
  b.plan.boundaries[0].consumers = {0};
  EXPECT_THAT(errorOf(b.plan, yaml(1, "drain")),
              HasSubstr("it keeps the replicas of one fragment in step"));
}

TEST(Facts, ARefusalGivesTheFactsOwnReasonAndBothPlaces) {
  Manifest plan = apexPlan();
  BoundaryInfo& batch = plan.boundaries[6];
  batch.loose = true;
  batch.drainable = {false,
                     "`learner.learn(batch, step)` at line 27 reads the loop counter `step`"};
  const std::string groups = "groups:\n  all: {fragments: rest}\nboundaries:\n";
  EXPECT_EQ(errorOf(plan, groups + "  batch: {mode: drain}\n"),
            "p.yaml:4:3: boundary batch (scatter at apex.cpp:26) cannot be drained: "
            "`learner.learn(batch, step)` at line 27 reads the loop counter `step`. Keep it "
            "ordered, or use another policy");
  batch.drainable.reason = "";
  EXPECT_THAT(errorOf(plan, groups + "  batch: {mode: drain}\n"),
              HasSubstr("cannot be drained: the compiler did not find it safe"));
  batch.loose = false;
  batch.drainable.reason = "`batch` at line 26 is not marked loose: write fdg::scatter.loose()";
  EXPECT_THAT(errorOf(plan, groups + "  scatter: {mode: drain}\n  action: {mode: ordered}\n"),
              HasSubstr("cannot be drained: `batch` at line 26 is not marked loose: write "
                        "fdg::scatter.loose()"));
  batch.drainable.reason = "`wait()` at line 27 is a boundary";
  EXPECT_THAT(
      errorOf(plan, groups + "  batch: {mode: drain}\n"),
      HasSubstr("(its author can allow it: fdg::scatter.loose()); besides, `wait()` at line "
                "27 is a boundary"));
  for (const std::string key : {"take: 3", "ahead: 2", "behind: 4"}) {
    EXPECT_THAT(errorOf(plan, groups + "  batch: {" + key + "}\n"),
                HasSubstr(key.substr(0, key.find(':')) + " is for drained boundaries"));
  }
}

TEST(Facts, AppendNeedsAsManyProducersAsConsumers) {
  EXPECT_THAT(errorOf(apexPlan(),
                      "groups:\n  b: {fragments: buffer, replicas: 3}\n  r: {fragments: rest}\n"
                      "approximate: true\n"),
              HasSubstr("boundary experience (append at apex.cpp:24) goes from 1 instance of actor "
                        "to 3 of buffer"));
}

TEST(Rules, LaterSelectorsWinKeyByKey) {
  const Placement p =
      place(apexPlan(),
            policyFrom("groups:\n  all: {fragments: rest}\nboundaries:\n"
                       "  experience: {mode: drain, ahead: any}\n"
                       "  append: {window: 5, mode: ordered}\n  default: {window: 3}\n"),
            machine(1))
          .orThrow();
  EXPECT_EQ(p.boundaries[0].window, 3);
  EXPECT_EQ(p.boundaries[4].window, 5);
  EXPECT_EQ(p.boundaries[4].mode, Mode::drain);
  EXPECT_EQ(p.boundaries[4].ahead, -1);
  EXPECT_EQ(p.boundaries[4].behind, 16);
}

TEST(Rules, MistakesAreSentences) {
  const std::string groups = "groups:\n  all: {fragments: rest}\nboundaries:\n";
  EXPECT_THAT(errorOf(apexPlan(), groups + "  weihgts: {window: 3}\n"),
              HasSubstr("p.yaml:4:3: apex has no boundary \"weihgts\"; did you mean weights?"));
  EXPECT_EQ(errorOf(apexPlan(), groups + "  other: {window: 3, optional: true}\n"), "");
  EXPECT_EQ(errorOf(apexPlan(), groups + "  all_gather: {window: 3}\n"), "");
  EXPECT_THAT(
      errorOf(apexPlan(), groups + "  batch: {pack: 50}\n"),
      HasSubstr(
          "pack is for drained boundaries; boundary batch (scatter at apex.cpp:26) is ordered"));
  EXPECT_THAT(errorOf(apexPlan(), groups + "  weights: {max_staleness: 2}\n"),
              HasSubstr("max_staleness is for boundaries with mode: newest"));
}

TEST(Rules, StalenessNeedsAPace) {
  const std::string apart =
      "groups:\n  w: {fragments: [environment, actor]}\n  l: {fragments: rest}\n"
      "boundaries:\n  weights: {mode: newest, max_staleness: 2}\n  experience: {mode: drain";
  const Placement p = place(apexPlan(), policyFrom(apart + "}\n"), machine(2)).orThrow();
  EXPECT_EQ(p.boundaries[1].max_staleness, 2);
  EXPECT_THAT(errorOf(apexPlan(), apart + ", ahead: any}\n"),
              HasSubstr("p.yaml: boundary weights has max_staleness, so its reader may wait for "
                        "learner, which with ahead: any at boundary experience may wait"));
}

TEST(Rules, ChoicesAreOrderedAndVanishWithTheDrainTheyLeadTo) {
  Manifest plan = apexPlan();
  BoundaryInfo choice = plan.boundaries[6];
  choice.id = static_cast<int>(plan.boundaries.size());
  choice.name = "choice1";
  choice.implicit = true;
  choice.loose = true;
  choice.only_for_drain = 4;
  plan.boundaries.push_back(choice);
  const std::string groups = "groups:\n  all: {fragments: rest}\nboundaries:\n";
  EXPECT_THAT(errorOf(plan, groups + "  choice1: {mode: drain}\n"),
              HasSubstr("such choices are always ordered"));
  const Placement p =
      place(plan, policyFrom(groups + "  experience: {mode: drain}\n  scatter: {window: 7}\n"),
            machine(1))
          .orThrow();
  EXPECT_EQ(p.boundaries.back().window, 2);
  EXPECT_TRUE(isUnused(p.boundaries, plan.boundaries.back()));
  EXPECT_EQ(predictTraffic(plan, p, {0}).back().total(), 0);
}

TEST(Rules, RateClassesFollowFromOrderedBoundaries) {
  const Manifest plan = apexPlan();
  const Placement apex = place(plan, shipped("apex"), machine(1)).orThrow();
  EXPECT_EQ(rateClasses(plan, apex.boundaries),
            (std::vector<std::vector<int>>{{0, 1}, {2, 3}, {4}}));
  const Placement single = place(plan, shipped("single"), machine(1)).orThrow();
  EXPECT_EQ(rateClasses(plan, single.boundaries).size(), 1u);
}

TEST(Rules, LooseningWithoutEffectIsNoted) {
  const Placement p = place(apexPlan(),
                            policyFrom("groups:\n  all: {fragments: rest}\nboundaries:\n"
                                       "  experience: {mode: drain}\n"),
                            machine(1))
                          .orThrow();
  EXPECT_THAT(
      p.notes,
      Contains(HasSubstr("experience is loosened, yet actor and buffer still run at one rate")));
}

TEST(Unsupported, IsRefusedBeforeAnythingStarts) {
  EXPECT_THAT(errorOf(ppoPlan(), "groups:\n  g: {fragments: rest, device: gpu}\n"),
              HasSubstr("p.yaml:2:3: group g asks for a GPU and there is none here"));
  EXPECT_THAT(errorOf(ppoPlan(), "groups:\n  g: {fragments: rest, replicas: per-gpu}\n"),
              HasSubstr("a GPU"));
  EXPECT_THAT(
      errorOf(ppoPlan(),
              "groups:\n  g: {fragments: rest}\n  e: {fragments: evaluator, optional: true}\n"
              "stop: e\n"),
      HasSubstr("p.yaml:4:7: the run ends with group e, but ppo has no fragment for that group"));
}

TEST(Shipped, PlacesWhatTheFactsAllow) {
  for (const char* name : {"single", "dp-a", "dp-b", "dp-c", "dp-e"}) {
    for (const Manifest& plan : {apexPlan(), dqnPlan(), ppoPlan()}) {
      for (const int n : {1, 2, 4, 8}) {
        if (n > 1 && std::string(name) == "single") {
          continue;
        }
        const auto placement = place(plan, shipped(name), ranks(n));
        EXPECT_TRUE(placement.ok()) << name << " " << plan.program << ": " << placement.error();
      }
      EXPECT_TRUE(place(plan, shipped(name), machine(2)).ok());
    }
  }
  EXPECT_TRUE(place(apexPlan(), shipped("apex"), ranks(5)).ok());
  const auto dqn = place(dqnPlan(), shipped("apex"), ranks(5));
  EXPECT_TRUE(dqn.ok()) << dqn.error();
}

TEST(Shipped, ApexOnPpoIsRefusedWithTheReason) {
  const std::string error = place(ppoPlan(), shipped("apex"), ranks(4)).error();
  EXPECT_THAT(error, HasSubstr("apex.yaml:"));
  EXPECT_THAT(error, HasSubstr("does not mark it loose"));
}

}  // namespace
}  // namespace fdg::place
