// in: threads: all groups or none, on one node, without on_failure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/place/Explain.h"
#include "runtime/place/Placement.h"
#include "runtime/place/Threads.h"
#include "tests/unit/place/Placed.h"

namespace fdg::place {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kThreaded =
    "groups:\n  w: {fragments: [environment, actor], replicas: fill, in: threads}\n"
    "  l: {fragments: rest, in: threads}\n";

Placement placed(const std::string& yaml, const Cluster& cluster) {
  return place(apexPlan(), policyFrom(yaml), cluster).orThrow();
}

std::string errorOf(const std::string& yaml, const Cluster& cluster = machine(4)) {
  return place(apexPlan(), policyFrom(yaml), cluster).error();
}

TEST(Threads, AreWhatRanksWouldBe) {
  const Placement threads = placed(kThreaded, machine(4));
  EXPECT_TRUE(threads.threads);
  EXPECT_EQ(threads.ranks, 4);
  EXPECT_STREQ(unitOf(threads), "thread");
  const Placement ranks = placed(
      "groups:\n  w: {fragments: [environment, actor], replicas: fill, in: ranks}\n"
      "  l: {fragments: rest}\n",
      machine(4));
  EXPECT_FALSE(ranks.threads);
  EXPECT_STREQ(unitOf(ranks), "rank");
  ASSERT_EQ(threads.instances.size(), ranks.instances.size());
  for (size_t i = 0; i < ranks.instances.size(); ++i) {
    EXPECT_EQ(threads.instances[i].rank, ranks.instances[i].rank);
    EXPECT_EQ(threads.instances[i].replicas, ranks.instances[i].replicas);
  }
  EXPECT_FALSE(collapse(threads).threads);
}

TEST(Threads, OneIsNotSeveral) {
  const Cluster one = {.nodes = {{.ranks = 1, .cores = 2}}, .ranks_are_fixed = true};
  EXPECT_FALSE(placed(kThreaded, one).threads);
}

TEST(Threads, AreForAllGroupsOrNone) {
  EXPECT_EQ(errorOf("groups:\n  w: {fragments: [environment, actor], in: threads}\n"
                    "  l: {fragments: rest}\n"),
            "p.yaml:3:3: group l is in ranks and group w in threads, but a run is either one "
            "process or one for each rank: say in: threads for every group, or for none");
  EXPECT_THAT(errorOf("groups:\n  w: {fragments: [environment, actor]}\n"
                      "  l: {fragments: rest, in: threads}\n"),
              HasSubstr("p.yaml:2:3: group w is in ranks and group l in threads"));
}

TEST(Threads, DoNotDieOneByOne) {
  for (const char* what : {"restart", "continue"}) {
    EXPECT_THAT(errorOf(kThreaded + std::string("on_failure: ") + what + "\n"),
                HasSubstr(std::string("p.yaml:4:13: on_failure: ") + what +
                          " is for ranks, which are processes"));
  }
}

TEST(Threads, AreOnOneNode) {
  const Cluster two = {.nodes = {{.ranks = 2, .cores = 2}, {.ranks = 2, .cores = 2}},
                       .ranks_are_fixed = false};
  EXPECT_THAT(errorOf(kThreaded, two),
              HasSubstr("p.yaml:2:3: group w is in threads, so the whole run is one process on one "
                        "node, and these 4 would be on 2 nodes"));
  EXPECT_EQ(errorOf(kThreaded, firstRanks(two, 2)), "");
}

TEST(Threads, TheDryRunSaysSo) {
  const Policy policy = policyFrom(kThreaded);
  const Placement placement = placed(kThreaded, machine(3));
  const std::string text = explainPlacement(apexPlan(), policy, placement, machine(3), {});
  EXPECT_THAT(text, HasSubstr("3 threads of one process, 3 instances"));
  EXPECT_THAT(text, HasSubstr("thread  group"));
  EXPECT_THAT(text, HasSubstr("2 queue"));
  EXPECT_THAT(text, Not(HasSubstr("shared memory")));
}

}  // namespace
}  // namespace fdg::place
