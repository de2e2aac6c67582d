#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "runtime/place/Explain.h"
#include "tests/unit/place/Placed.h"

namespace fdg::place {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(Placement, SingleIsOneRankWithOneInstance) {
  const Placement p = place(apexPlan(), shipped("single"), machine(8)).orThrow();
  EXPECT_EQ(p.ranks, 1);
  EXPECT_EQ(shape(p), Lines{"all 0-1/1@0"});
  EXPECT_EQ(p.instances[0].fragments, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(p.stop_group, -1);
}

TEST(Placement, FillTakesWhatTheCoresLeaveAndAtLeastOne) {
  EXPECT_EQ(shape(place(apexPlan(), shipped("dp-a"), machine(4)).orThrow()),
            (Lines{"worker 0-1/3@0", "worker 1-2/3@1", "worker 2-3/3@2", "learner 0-1/1@3"}));
  EXPECT_EQ(shape(place(apexPlan(), shipped("dp-a"), machine(1)).orThrow()),
            (Lines{"worker 0-1/1@0", "learner 0-1/1@1"}));
}

TEST(Placement, FillTakesWhatTheRanksLeave) {
  const Placement p = place(apexPlan(), shipped("dp-a"), ranks(8)).orThrow();
  EXPECT_EQ(p.ranks, 8);
  EXPECT_EQ(p.replicas, (std::vector<int64_t>{7, 1}));
  EXPECT_EQ(p.instances.back().rank, 7);
}

TEST(Placement, OneRankTakesEverything) {
  EXPECT_EQ(shape(place(apexPlan(), shipped("dp-a"), ranks(1)).orThrow()),
            (Lines{"worker 0-1/1@0", "learner 0-1/1@0"}));
}

TEST(Placement, AskedReplicasShareRanksEvenlyAndFuse) {
  Policy policy = shipped("dp-a");
  policy.fill_replicas = 8;
  EXPECT_EQ(shape(place(apexPlan(), policy, ranks(3)).orThrow()),
            (Lines{"worker 0-4/8@0", "worker 4-8/8@1", "learner 0-1/1@2"}));
  policy.fill_replicas = 7;
  EXPECT_EQ(shape(place(apexPlan(), policy, ranks(4)).orThrow()),
            (Lines{"worker 0-3/7@0", "worker 3-5/7@1", "worker 5-7/7@2", "learner 0-1/1@3"}));
  EXPECT_EQ(shape(place(apexPlan(), policy, ranks(1)).orThrow()),
            (Lines{"worker 0-7/7@0", "learner 0-1/1@0"}));
  EXPECT_EQ(place(apexPlan(), policy, machine(2)).orThrow().ranks, 8);
}

TEST(Placement, FixedGroupsTakeTheRanksThereAreAndShareTheLack) {
  const std::string yaml =
      "groups:\n  worker: {fragments: [environment, actor], replicas: 8}\n  learner: {fragments: "
      "rest}\n";
  EXPECT_EQ(shape(place(apexPlan(), policyFrom(yaml), ranks(3)).orThrow()),
            (Lines{"worker 0-4/8@0", "worker 4-8/8@1", "learner 0-1/1@2"}));
  EXPECT_EQ(place(apexPlan(), policyFrom(yaml), ranks(9)).orThrow().instances.size(), 9u);
}

TEST(Placement, FuseFalseKeepsReplicasApart) {
  const std::string yaml =
      "fuse: false\ngroups:\n  worker: {fragments: [environment, actor], replicas: 4}\n"
      "  learner: {fragments: rest}\n";
  EXPECT_EQ(shape(place(apexPlan(), policyFrom(yaml), ranks(2)).orThrow()),
            (Lines{"worker 0-1/4@0", "worker 1-2/4@0", "worker 2-3/4@0", "worker 3-4/4@0",
                   "learner 0-1/1@1"}));
  const std::string group_says_true =
      "fuse: false\ngroups:\n  worker: {fragments: [environment, actor], replicas: 4, fuse: true}\n"
      "  learner: {fragments: rest}\n";
  EXPECT_EQ(place(apexPlan(), policyFrom(group_says_true), ranks(2)).orThrow().instances.size(),
            2u);
}

TEST(Placement, WhatCannotFuseStaysApartWithANote) {
  const Placement p = place(apexPlan(),
                            policyFrom("groups:\n  judge: {fragments: evaluator, replicas: 2}\n"
                                       "  rest: {fragments: rest}\n"),
                            ranks(1))
                          .orThrow();
  EXPECT_EQ(shape(p), (Lines{"judge 0-1/2@0", "judge 1-2/2@0", "rest 0-1/1@0"}));
  EXPECT_THAT(
      p.notes,
      Contains(HasSubstr("evaluator cannot be fused: evaluator reads its replica's number")));
}

TEST(Placement, WithPutsAGroupOnTheSameRanks) {
  const std::string yaml =
      "groups:\n  actor: {fragments: actor, replicas: 4}\n"
      "  worlds: {fragments: environment, with: actor}\n  few: {fragments: evaluator, with: actor, "
      "replicas: 2}\n"
      "  learner: {fragments: rest}\n";
  EXPECT_EQ(shape(place(apexPlan(), policyFrom(yaml), machine(2)).orThrow()),
            (Lines{"actor 0-1/4@0", "actor 1-2/4@1", "actor 2-3/4@2", "actor 3-4/4@3",
                   "worlds 0-1/4@0", "worlds 1-2/4@1", "worlds 2-3/4@2", "worlds 3-4/4@3",
                   "few 0-1/2@0", "few 1-2/2@2", "learner 0-1/1@4"}));
  EXPECT_EQ(
      shape(place(ppoPlan(),
                  policyFrom("groups:\n  e: {fragments: evaluator, replicas: 2, optional: true}\n"
                             "  w: {fragments: environment, with: e}\n  l: {fragments: rest}\n"),
                  machine(2))
                .orThrow()),
      (Lines{"w 0-1/2@0", "w 1-2/2@1", "l 0-1/1@2"}));
}

TEST(Placement, FewerRanksThanGroupsShareTheLastRank) {
  const Placement p = place(apexPlan(), shipped("apex"), ranks(2)).orThrow();
  EXPECT_EQ(shape(p),
            (Lines{"worker 0-1/1@0", "evaluator 0-1/1@1", "buffer 0-1/1@1", "learner 0-1/1@1"}));
  EXPECT_THAT(p.notes,
              Contains("2 ranks for 4 groups: evaluator, buffer and learner share rank 1"));
}

TEST(Placement, MoreRanksThanThePolicyUsesAreRefusedWithTheWayOut) {
  EXPECT_THAT(place(apexPlan(), shipped("single"), ranks(4)).error(),
              HasSubstr("policy single has work for 1 rank and -n asks for 4; use -n 1 at most, or "
                        "a policy with"));
  Policy policy = shipped("dp-a");
  policy.fill_replicas = 2;
  EXPECT_THAT(place(apexPlan(), policy, ranks(5)).error(),
              HasSubstr("use -n 3 or a larger --replicas"));
}

TEST(Placement, CountsPerCoreAndPerNode) {
  const Cluster cluster = {.nodes = {{.ranks = 3, .cores = 2}, {.ranks = 3, .cores = 2}},
                           .ranks_are_fixed = true};
  const Placement p =
      place(apexPlan(),
            policyFrom("groups:\n  w: {fragments: [environment, actor], replicas: "
                       "per-core}\n  e: {fragments: evaluator, replicas: per-node}\n"
                       "  l: {fragments: rest, with: e, replicas: 1}\n"),
            cluster)
          .orThrow();
  EXPECT_EQ(shape(p), (Lines{"w 0-1/4@0", "w 1-2/4@1", "w 2-3/4@3", "w 3-4/4@4", "e 0-1/2@2",
                             "e 1-2/2@5", "l 0-1/1@2"}));
}

TEST(Placement, NodesAreThoseThatTheLauncherDealtOut) {
  const Cluster cluster = startedRanks({0, 1, 0, 1, 0, 1});  // as by --map-by node
  EXPECT_EQ(cluster.nodes.size(), 2);
  EXPECT_EQ(cluster.nodes[1].ranks, 3);
  const Placement p = place(apexPlan(),
                            policyFrom("groups:\n  e: {fragments: evaluator, replicas: per-node}\n"
                                       "  l: {fragments: rest, replicas: 4}\n"
                                       "approximate: true\n"),
                            cluster)
                          .orThrow();
  EXPECT_EQ(shape(p), (Lines{"e 0-1/2@4", "e 1-2/2@5", "l 0-1/4@0", "l 1-2/4@1", "l 2-3/4@2",
                             "l 3-4/4@3"}));
}

TEST(Placement, RanksOfANodeTakeItsGpusInTurn) {
  const Cluster cluster = {.nodes = {{.ranks = 4, .gpus = 2}, {.ranks = 3, .gpus = 4}},
                           .ranks_are_fixed = true};
  const auto devices = [&](const std::string& group) {
    const Placement placed =
        place(ppoPlan(),
              policyFrom("approximate: true\ngroups:\n  g: {fragments: rest, " + group + "}\n"),
              cluster)
            .orThrow();
    Lines lines;
    for (const Instance& instance : placed.instances) {
      lines.push_back(instance.device);
    }
    return lines;
  };
  EXPECT_EQ(devices("replicas: 7, device: gpu"),
            (Lines{"cuda:0", "cuda:1", "cuda:0", "cuda:1", "cuda:0", "cuda:1", "cuda:2"}));
  EXPECT_EQ(devices("replicas: 7, device: {gpu: [1]}"),
            (Lines{"cuda:1", "cuda:1", "cuda:1", "cuda:1", "cuda:1", "cuda:1", "cuda:1"}));
  EXPECT_EQ(devices("replicas: 7, device: auto").front(), "cpu");
  EXPECT_THAT(place(ppoPlan(),
                    policyFrom("approximate: true\ngroups:\n"
                               "  g: {fragments: rest, replicas: 7, device: {gpu: [0, 2]}}\n"),
                    cluster)
                  .error(),
              HasSubstr("p.yaml:3:3: group g asks for GPU 2, and the GPUs on node 0 of this cluster "
                        "are 0 to 1"));
}

TEST(Placement, EveryReplicaIsPlacedOnceWhateverTheNumbers) {
  for (int64_t replicas = 1; replicas <= 23; ++replicas) {
    for (int n = 1; n <= replicas + 1; ++n) {
      Policy policy = shipped("dp-a");
      policy.fill_replicas = replicas;
      const Placement p = place(apexPlan(), policy, ranks(n)).orThrow();
      int64_t next = 0;
      std::vector<bool> used(static_cast<size_t>(n));
      for (const Instance& instance : p.instances) {
        used[static_cast<size_t>(instance.rank)] = true;
        if (instance.group == 0) {
          EXPECT_EQ(instance.replicas.first, next);
          next = instance.replicas.last;
        }
      }
      EXPECT_EQ(next, replicas);
      EXPECT_EQ(std::ranges::count(used, false), 0) << replicas << " on " << n;
    }
  }
}

TEST(Placement, TenThousandRanksTakeLessThanASecond) {
  const std::clock_t start = std::clock();  // of the processor: other work does not count
  const Placement p = place(apexPlan(), shipped("dp-a"), ranks(10'000)).orThrow();
  const std::string text = explainPlacement(apexPlan(), shipped("dp-a"), p, ranks(10'000), {});
  EXPECT_LT(std::clock() - start, CLOCKS_PER_SEC);
  EXPECT_EQ(p.instances.size(), 10'000u);
  EXPECT_THAT(text, HasSubstr("more instances like these"));
}

TEST(Placement, CollapseKeepsInstancesOnOneRank) {
  const Placement p = place(apexPlan(), shipped("dp-a"), ranks(4)).orThrow();
  const Placement twin = collapse(p);
  EXPECT_EQ(twin.ranks, 1);
  ASSERT_EQ(twin.instances.size(), p.instances.size());
  for (const Instance& instance : twin.instances) {
    EXPECT_EQ(instance.rank, 0);
  }
}

TEST(Assignment, NamesMayBeRolesFragmentsOrComponents) {
  const Placement p = place(apexPlan(),
                            policyFrom("groups:\n  a: {fragments: [envs, nstep]}\n"
                                       "  b: {fragments: [buffer, learner, evaluator]}\n"),
                            machine(2))
                          .orThrow();
  EXPECT_EQ(p.instances[0].fragments, (std::vector<int>{0, 1}));
  EXPECT_EQ(p.instances[1].fragments, (std::vector<int>{2, 3, 4}));
}

TEST(Assignment, AFragmentsOwnNameBeatsItsRole) {
  Manifest plan = apexPlan();
  plan.fragments[4].name = "learner2";
  plan.fragments[4].roles = {"learner"};
  plan.fragments[4].components = {"second"};
  EXPECT_EQ(errorOf(plan,
                    "groups:\n  a: {fragments: [learner]}\n  b: {fragments: [learner2]}\n"
                    "  c: {fragments: rest}\n"),
            "");
}

TEST(Assignment, MistakesAreSentences) {
  const Manifest plan = apexPlan();
  EXPECT_THAT(
      errorOf(plan, "groups:\n  a: {fragments: actro}\n  b: {fragments: rest}\n"),
      HasSubstr(
          "p.yaml:2:3: group a names \"actro\", which apex does not have; did you mean actor?"));
  EXPECT_THAT(
      errorOf(plan, "groups:\n  a: {fragments: actor}\n"),
      HasSubstr("fragments environment, buffer, learner and evaluator of apex belong to no group"));
  EXPECT_THAT(
      errorOf(
          plan,
          "groups:\n  a: {fragments: actor}\n  b: {fragments: nstep}\n  c: {fragments: rest}\n"),
      HasSubstr("fragment actor belongs to group a (as \"actor\") and to group b (as \"nstep\")"));
  EXPECT_THAT(errorOf(ppoPlan(),
                      "groups:\n  a: {fragments: [environment, actor, learner]}\n"
                      "  b: {fragments: rest}\n"),
              HasSubstr("group b takes the rest of ppo, but the other groups own every fragment"));
  EXPECT_EQ(
      errorOf(ppoPlan(),
              "groups:\n  a: {fragments: [environment, actor, learner, buffer], optional: true}\n"
              "  b: {fragments: rest, optional: true}\n"),
      "");
}

TEST(Assignment, RolesThatOneFragmentJoinsCannotBeSeparated) {
  PlanBuilder b("joined");
  b.fragment("environment", {"environment"}, {"envs"});
  b.fragment("actor+learner", {"actor", "learner"}, {"agent", "learner"});
  EXPECT_THAT(
      errorOf(b.plan,
              "groups:\n  a: {fragments: [environment, actor]}\n  b: {fragments: learner}\n"),
      HasSubstr(
          "p.yaml:3:3: the policy puts actor into group a and learner into group b, but in joined "
          "both are one fragment, \"actor+learner\""));
  EXPECT_EQ(errorOf(b.plan,
                    "groups:\n  a: {fragments: environment}\n  b: {fragments: [actor, learner]}\n"),
            "");
  EXPECT_EQ(errorOf(b.plan, "groups:\n  a: {fragments: actor}\n  b: {fragments: rest}\n"), "");
}

TEST(Explain, SaysFragmentsBoundariesAndConfig) {
  const std::string text = explainPlan(apexPlan());
  for (const char* part :
       {"buffer, replicated, is not the same as one: replay (PrioritizedReplay)",
        "broadcast, loose", "{buffer, learner}  loosen experience and weights", "dqn.lr", "1e-4",
        "weights cannot be drained: it is read by a condition at line 22"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(Explain, DryRunSaysWhatBecomesOfEveryBoundary) {
  const Policy policy = shipped("apex");
  const Placement p = place(apexPlan(), policy, ranks(5)).orThrow();
  const std::string text = explainPlacement(apexPlan(), policy, p, ranks(5), {});
  for (const char* part :
       {"5 ranks, 5 instances", "1 of 2", "1/2", "newest",
        "window 3, pack 50, ahead any, behind any", "3 shared memory",
        "{environment, actor}, {buffer, learner}, {evaluator}", "the loop of group learner"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(explainPlacement(apexPlan(), policy, p, ranks(5), {.force_mpi = true}),
              HasSubstr("3 MPI"));
}

}  // namespace
}  // namespace fdg::place
