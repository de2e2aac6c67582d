#include "runtime/host/Topology.h"

#include <gtest/gtest.h>

#include "tests/unit/host/Sample.h"

namespace fdg::host {
namespace {

TEST(Topology, MatchedRowsNeedOneChannelEach) {
  const Topology topology = layOut(twoFragments(OperationKind::gather), placed(4, 4));
  EXPECT_EQ(topology.boundaries[0].routes.size(), 4);
}

TEST(Topology, OneConsumerGetsWholeShares) {
  const Topology topology = layOut(twoFragments(OperationKind::gather), placed(4, 1));
  ASSERT_EQ(topology.boundaries[0].routes.size(), 4);
  EXPECT_EQ(topology.boundaries[0].routes[0].share, Share::whole);
}

TEST(Topology, WholesComeFromOneProducerAndChecksFromTheRest) {
  const Topology topology = layOut(twoFragments(OperationKind::broadcast), placed(3, 1));
  int wholes = 0;
  int checks = 0;
  for (const Route& route : topology.boundaries[0].routes) {
    wholes += route.share == Share::whole ? 1 : 0;
    checks += route.share == Share::check ? 1 : 0;
  }
  EXPECT_EQ(wholes, 1);
  EXPECT_EQ(checks, 2);
}

TEST(Topology, ReplicasThatReduceExchangeTheirTerms) {
  Manifest manifest = twoFragments(OperationKind::reduce_mean);
  manifest.boundaries[0].consumers = {0};
  const Topology topology = layOut(manifest, placed(3, 1));
  EXPECT_TRUE(topology.boundaries[0].producers_join);
  EXPECT_EQ(topology.boundaries[0].routes.size(), 6);
}

TEST(Topology, LoosenedBoundariesSeparateRates) {
  place::Placement placement = placed(2, 1);
  EXPECT_EQ(layOut(twoFragments(OperationKind::append), placement).rate_class,
            (std::vector<int>{0, 0}));
  placement.boundaries[0].mode = place::Mode::drain;
  EXPECT_EQ(layOut(twoFragments(OperationKind::append), placement).rate_class,
            (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace fdg::host
