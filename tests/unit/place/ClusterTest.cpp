#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/place/ClusterFile.h"
#include "runtime/place/Placement.h"
#include "tests/unit/place/Plans.h"

namespace fdg::place {
namespace {

using ::testing::HasSubstr;

std::string errorOf(const std::string& yaml) { return readCluster(yaml, "c.yaml").error(); }

constexpr const char* kTwoKinds =
    "nodes:\n"
    "  - {count: 2, cores: 4, ranks: 3, gpus: 1}\n"
    "  - {cores: 8}\n"
    "within: {latency: 2us, bandwidth: 8GB/s}\n"
    "between: {latency: 0.5ms, bandwidth: 10 Gbit/s}\n";

TEST(Cluster, IsReadFromADescription) {
  const Cluster cluster = readCluster(kTwoKinds, "c.yaml").orThrow();
  ASSERT_EQ(cluster.nodes.size(), 3u);
  EXPECT_EQ(cluster.nodes[1].ranks, 3);
  EXPECT_EQ(cluster.nodes[1].gpus, 1);
  EXPECT_EQ(cluster.nodes[2].ranks, 8);
  EXPECT_EQ(cluster.ranks(), 14);
  EXPECT_EQ(cluster.cores(), 16);
  EXPECT_FALSE(cluster.ranks_are_fixed);
  EXPECT_DOUBLE_EQ(cluster.within.latency, 2e-6);
  EXPECT_DOUBLE_EQ(cluster.within.bandwidth, 8e9);
  EXPECT_DOUBLE_EQ(cluster.between.latency, 5e-4);
  EXPECT_DOUBLE_EQ(cluster.between.bandwidth, 1.25e9);
}

TEST(Cluster, OneNodeNeedsNoNetwork) {
  EXPECT_EQ(readCluster("nodes: [{cores: 2}]", "c.yaml").orThrow().ranks(), 2);
}

TEST(Cluster, MistakesHaveTheirPlace) {
  EXPECT_THAT(errorOf("nodes: [{cores: 2}]\nwihtin: 3\n"),
              HasSubstr("c.yaml:2:1: unknown key \"wihtin\" in a cluster; did you mean within?"));
  EXPECT_THAT(errorOf("nodes:\n  - {cores: many}\n"),
              HasSubstr("c.yaml:2:13: cores takes a whole number from 1 to 4096, not \"many\""));
  EXPECT_THAT(errorOf("nodes:\n  - {ranks: 2}\n"), HasSubstr("c.yaml:2:5: how many cores"));
  EXPECT_THAT(errorOf("nodes: 3\n"), HasSubstr("c.yaml:1:8: nodes takes a list"));
  EXPECT_THAT(errorOf("nodes: [{cores: 2}]\nwithin: {latency: 5, bandwidth: 1GB/s}\n"),
              HasSubstr("c.yaml:2:19: latency takes a time such as 20us, not \"5\""));
  EXPECT_THAT(errorOf("nodes: [{cores: 2}]\nwithin: {latency: 5us, bandwidth: 0GB/s}\n"),
              HasSubstr("c.yaml:2:35: bandwidth takes a rate such as 10Gbit/s"));
  EXPECT_THAT(errorOf("nodes: [{cores: 2}]\nwithin: {latency: 5us}\n"),
              HasSubstr("c.yaml:2:1: within needs both a latency and a bandwidth"));
  EXPECT_THAT(errorOf("nodes: [{cores: 2, count: 2}]\n"), HasSubstr("what joins the nodes?"));
  EXPECT_THAT(errorOf("within: {latency: 5us, bandwidth: 1GB/s}\n"),
              HasSubstr("a cluster has nodes"));
  EXPECT_THAT(errorOf("nodes: [{count: 100000, cores: 4096}]\n"), HasSubstr("at most 100000"));
  EXPECT_THAT(errorOf("nodes: ["), HasSubstr("this is not YAML"));
}

TEST(Cluster, FewerRanksFillNodeAfterNode) {
  const Cluster cluster = readCluster(kTwoKinds, "c.yaml").orThrow();
  const Cluster some = firstRanks(cluster, 5);
  EXPECT_TRUE(some.ranks_are_fixed);
  EXPECT_EQ(some.ranks(), 5);
  EXPECT_EQ(nodesOfRanks(some, 5), (std::vector<int>{0, 0, 0, 1, 1}));
}

TEST(Cluster, FillGroupsTakeItsRanks) {
  const Cluster cluster = readCluster(kTwoKinds, "c.yaml").orThrow();
  const Policy policy = findPolicy("dp-a", {FDG_SOURCE "/policies"}).orThrow();
  EXPECT_EQ(place(apexPlan(), policy, cluster).orThrow().ranks, 14);
}

}  // namespace
}  // namespace fdg::place
