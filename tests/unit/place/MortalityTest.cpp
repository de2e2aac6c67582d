#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/place/Mortality.h"
#include "tests/unit/place/Plans.h"

namespace fdg::place {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr const char* kApart =
    "  experience: {mode: drain}\n  priorities: {mode: drain}\n  weights: {mode: newest}\n";
constexpr const char* kGroups =
    "groups:\n  worker: {fragments: [environment, actor], replicas: 3}\n"
    "  evaluator: {fragments: [evaluator]}\n  learner: {fragments: rest}\n";

Result<Placement> placed(const std::string& groups, const std::string& rules, int ranks = 0,
                         const Manifest& plan = apexPlan()) {
  const Policy policy =
      readPolicy(groups + "boundaries:\n" + rules + "on_failure: continue\n", "p.yaml").orThrow();
  const Cluster cluster = {.nodes = {{.ranks = ranks == 0 ? 8 : ranks, .cores = 8}},
                           .ranks_are_fixed = ranks > 0};
  return place(plan, policy, cluster);
}

std::vector<bool> mayDie(const Placement& placement, const std::string& group) {
  std::vector<bool> each;
  for (const Instance& instance : placement.instances) {
    if (placement.groups[static_cast<size_t>(instance.group)] == group) {
      each.push_back(placement.may_die[static_cast<size_t>(instance.rank)]);
    }
  }
  return each;
}

TEST(Mortality, WhoOnlyGivesDrainedAndReadsNewestMayDie) {
  const Placement p = placed(kGroups, kApart).orThrow();
  EXPECT_EQ(mayDie(p, "worker"), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(mayDie(p, "evaluator"), std::vector<bool>{true});
  EXPECT_EQ(mayDie(p, "learner"), std::vector<bool>{false});
  EXPECT_THAT(p.notes, Contains(HasSubstr("(worker and evaluator) if they die")));
}

TEST(Mortality, Rank0IsOneThatIsNeeded) {
  const Placement p = placed(kGroups, kApart).orThrow();
  EXPECT_FALSE(p.may_die[0]);
  std::vector<int> ranks;
  for (const Instance& instance : p.instances) {
    ranks.push_back(instance.rank);
  }
  EXPECT_EQ(ranks, (std::vector<int>{4, 1, 2, 3, 0}));
}

TEST(Mortality, NobodyMayDieUnderAnotherPolicy) {
  const Policy policy =
      readPolicy(std::string(kGroups) + "boundaries:\n" + kApart, "p.yaml").orThrow();
  const Placement p = place(apexPlan(), policy, {.nodes = {{.ranks = 8, .cores = 8}}}).orThrow();
  EXPECT_TRUE(p.may_die.empty());
  EXPECT_EQ(p.instances.front().rank, 0);
}

TEST(Mortality, OrderedBoundariesAreRefusedAtTheirLine) {
  EXPECT_THAT(placed(kGroups, "  default: {mode: ordered}\n").error(),
              HasSubstr("p.yaml:7:13: on_failure: continue, but every rank of this run is needed "
                        "(group worker: boundary weights (broadcast at apex.cpp:21) is ordered"));
  EXPECT_THAT(placed("groups:\n  worker: {fragments: [environment, actor], replicas: 3}\n"
                     "  learner: {fragments: rest}\n",
                     "  weights: {mode: newest}\n")
                  .error(),
              HasSubstr("group worker: boundary experience (append at apex.cpp:24) is ordered, so "
                        "buffer waits for each of its messages"));
}

TEST(Mortality, WhatIsGivenOrTakenOtherwiseIsNeeded) {
  const std::string error =
      placed("groups:\n  reader: {fragments: [evaluator]}\n  rest: {fragments: rest}\n",
             "  experience: {mode: drain}\n")
          .error();
  EXPECT_THAT(error, HasSubstr("group reader: boundary weights (broadcast at apex.cpp:21) is "
                               "ordered, so learner waits until evaluator has taken each message"));
  const std::string drained_into =
      placed(
          "groups:\n  buffer: {fragments: [buffer]}\n  learner: {fragments: [learner]}\n"
          "  worker: {fragments: rest}\n",
          kApart, 1)
          .error();
  EXPECT_THAT(drained_into, HasSubstr("is drained into it, and what it holds would be lost"));
  EXPECT_THAT(drained_into,
              HasSubstr("group worker: it shares its ranks with groups that are needed"));
}

TEST(Mortality, ReplicasThatStayInStepAreNeeded) {
  Manifest plan = apexPlan();
  BoundaryInfo sum = plan.boundaries.front();
  sum.id = static_cast<int>(plan.boundaries.size());
  sum.name = "norm";
  sum.operation = OperationKind::reduce_sum;
  sum.producer = 1;
  sum.consumers = {1};
  sum.producer_needs_result = true;
  plan.boundaries.push_back(sum);
  const Placement alone = placed(kGroups, kApart, 0, plan).orThrow();
  EXPECT_EQ(mayDie(alone, "worker"), (std::vector<bool>{false, false, false}));
  EXPECT_EQ(mayDie(alone, "evaluator"), std::vector<bool>{true});
}

}  // namespace
}  // namespace fdg::place
