#include "runtime/host/Trace.h"

#include <gtest/gtest.h>

#include "runtime/host/Verify.h"
#include "tests/unit/host/Sample.h"

namespace fdg::host {
namespace {

value::TraceHash hashOf(const at::Tensor& t) { return value::traceHash(std::tuple<at::Tensor>(t)); }

Batch crossing(int64_t replica, const at::Tensor& t) {
  Batch batch;
  batch.crossings.push_back({0, 0, 0, replica, hashOf(t)});
  return batch;
}

TEST(Trace, SharesOfReplicasEqualTheWhole) {
  const Manifest manifest = twoFragments(OperationKind::gather);
  const at::Tensor whole = at::rand({6, 3});
  const Trace oracle = mergeTrace(manifest, {crossing(0, whole)});
  const Trace shares =
      mergeTrace(manifest, {crossing(2, whole.slice(0, 2, 6)), crossing(0, whole.slice(0, 0, 2))});
  EXPECT_TRUE(compareBits(manifest, shares, oracle, "oracle").equal);

  at::Tensor other = whole.clone();
  other[5][2] += 1e-7F;
  other[5][2] *= 1.0001F;
  const Trace differs =
      mergeTrace(manifest, {crossing(0, other.slice(0, 0, 2)), crossing(2, other.slice(0, 2, 6))});
  const Verdict verdict = compareBits(manifest, differs, oracle, "oracle");
  EXPECT_FALSE(verdict.equal);
  EXPECT_NE(verdict.text.find("value at line 7"), std::string::npos);
}

TEST(Trace, WholesThatDisagreeAreNamed) {
  const Manifest manifest = twoFragments(OperationKind::broadcast);
  const Trace trace =
      mergeTrace(manifest, {crossing(0, at::ones({2})), crossing(1, at::zeros({2}))});
  EXPECT_NE(trace.disagreement.find("line 7"), std::string::npos);
}

TEST(Trace, ABoundaryThatNeverFiredIsNoProof) {
  const Manifest manifest = twoFragments(OperationKind::gather);
  EXPECT_EQ(neverFired(manifest, Trace()), "value (line 7)");
  EXPECT_EQ(neverFired(manifest, mergeTrace(manifest, {crossing(0, at::ones({2}))})), "");
}

TEST(Trace, LogsOfOnePlaceAreAveragedByWeight) {
  const std::vector<LogPoint> points = mergeLogs({{{3, 0, 9}, "return", 10, 1, 0, 0},
                                                  {{3, 0, 9}, "return", 20, 3, 0, 1},
                                                  {{3, 0, 5}, "loss", 0.5, 1, 0, 0},
                                                  {{3, 0, 5}, "loss", 0.5, 1, 0, 1}});
  ASSERT_EQ(points.size(), 2);
  EXPECT_EQ(points[0].key, "loss");
  EXPECT_EQ(points[0].value, 0.5);
  EXPECT_FALSE(points[0].is_share);
  EXPECT_EQ(points[1].value, 17.5);
  EXPECT_TRUE(points[1].is_share);
}

TEST(Trace, ADifferentLogOrSaveIsFound) {
  const Manifest manifest = twoFragments(OperationKind::gather);
  Batch a;
  a.logs.push_back({{3, 0, 5}, "loss", 0.5, 1, 0, 0});
  a.saves.push_back({{3, 0, 6}, "model", 1, 0, 0, 1, ""});
  Batch b = a;
  EXPECT_TRUE(
      compareBits(manifest, mergeTrace(manifest, {a}), mergeTrace(manifest, {b}), "oracle").equal);
  b.logs[0].value = std::nextafter(0.5, 1.0);
  EXPECT_FALSE(
      compareBits(manifest, mergeTrace(manifest, {a}), mergeTrace(manifest, {b}), "oracle").equal);
  b = a;
  b.saves[0].hash = 2;
  EXPECT_FALSE(
      compareBits(manifest, mergeTrace(manifest, {a}), mergeTrace(manifest, {b}), "oracle").equal);
}

TEST(Trace, ANameMayBeSavedManyTimes) {
  const Manifest manifest = twoFragments(OperationKind::gather);
  Batch a;
  a.saves.push_back({{3, 0, 6}, "best", 1, 0, 0, 10, ""});
  a.saves.push_back({{3, 4, 6}, "best", 1, 1, 0, 11, ""});
  Batch other = a;
  for (SaveRecord& save : other.saves) {
    save.replica = 1;
  }
  const Trace both = mergeTrace(manifest, {a, other});
  EXPECT_EQ(both.disagreement, "");
  ASSERT_EQ(both.saves.size(), 2);
  EXPECT_EQ(both.saves[1].hash, 11);
  EXPECT_TRUE(compareBits(manifest, both, mergeTrace(manifest, {a}), "oracle").equal);
  Batch fewer = a;
  fewer.saves.pop_back();
  EXPECT_FALSE(compareBits(manifest, both, mergeTrace(manifest, {fewer}), "oracle").equal);
  other.saves[1].hash = 12;
  EXPECT_NE(mergeTrace(manifest, {a, other}).disagreement, "");
}

}  // namespace
}  // namespace fdg::host
