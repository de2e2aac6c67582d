#include "base/Rows.h"

#include <gtest/gtest.h>

#include "base/Check.h"

namespace fdg {
namespace {

TEST(Rows, TheRemainderGoesToTheFirstReplicas) {
  EXPECT_EQ(cutRows(10, {0, 1, 3}), (Rows{0, 4, 10}));
  EXPECT_EQ(cutRows(10, {1, 2, 3}), (Rows{4, 7, 10}));
  EXPECT_EQ(cutRows(10, {2, 3, 3}), (Rows{7, 10, 10}));
}

TEST(Rows, NeighboursOwnTheUnion) {
  for (int64_t total : {0, 1, 2, 7, 64}) {
    for (int64_t count = 1; count <= 9; ++count) {
      int64_t at = 0;
      for (int64_t replica = 0; replica < count; ++replica) {
        const Rows rows = cutRows(total, {replica, replica + 1, count});
        EXPECT_EQ(rows.begin, at);
        at = rows.end;
        EXPECT_EQ(cutRows(total, {0, replica + 1, count}).end, at);
      }
      EXPECT_EQ(at, total);
    }
  }
}

TEST(Rows, MoreReplicasThanRowsLeavesSomeEmpty) { EXPECT_EQ(cutRows(2, {3, 4, 4}).size(), 0); }

TEST(Rows, ABlockIsNeverCut) {
  EXPECT_EQ(cutRows(12, {0, 1, 3}, 4), (Rows{0, 4, 12}));
  EXPECT_EQ(cutRows(12, {0, 1, 2}, 4), (Rows{0, 8, 12}));
  EXPECT_THROW(cutRows(10, {0, 1, 2}, 4), UserError);
  EXPECT_THROW(cutRows(10, {0, 1, 2}, 0), UserError);
  EXPECT_THROW(cutRows(-1, {0, 1, 2}), UserError);
}

}  // namespace
}  // namespace fdg
