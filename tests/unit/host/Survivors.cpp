#include "runtime/host/Survivors.h"

#include <gtest/gtest.h>

namespace fdg::host {
namespace {

/// Rank 0 is needed; 1 to 3 run two groups of which replicas may die.
place::Placement sample() {
  place::Placement placement;
  placement.ranks = 4;
  placement.groups = {"learner", "worker", "judge"};
  placement.may_die = {false, true, true, true};
  placement.instances = {{.id = 0, .group = 0, .replicas = {0, 1, 1}, .rank = 0, .fragments = {}},
                         {.id = 1, .group = 1, .replicas = {0, 3, 5}, .rank = 1, .fragments = {}},
                         {.id = 2, .group = 1, .replicas = {3, 5, 5}, .rank = 2, .fragments = {}},
                         {.id = 3, .group = 2, .replicas = {0, 1, 1}, .rank = 3, .fragments = {}}};
  return placement;
}

TEST(Survivors, GoOnWhileOneOfTheGroupIsLeft) {
  const place::Placement placement = sample();
  Survivors survivors(placement);
  const Loss first = survivors.lose(2);
  EXPECT_FALSE(first.ends_run);
  EXPECT_EQ(first.text, " has died; the run goes on without worker replicas 3–4 of 5");
  const Loss second = survivors.lose(1);
  EXPECT_TRUE(second.ends_run);
  EXPECT_EQ(second.text,
            " has died, which ran worker replicas 0–2 of 5, and nobody of group worker is left");
}

TEST(Survivors, EndWithTheOnlyOneOfAGroup) {
  const place::Placement placement = sample();
  EXPECT_TRUE(Survivors(placement).lose(3).ends_run);
}

TEST(Survivors, EndWithARankThatIsNeeded) {
  const place::Placement placement = sample();
  Survivors survivors(placement);
  EXPECT_EQ(survivors.first(), 0);
  const Loss loss = survivors.lose(0);
  EXPECT_TRUE(loss.ends_run);
  EXPECT_EQ(loss.text,
            " has died, and the run cannot go on without it: it ran learner and kept the log");
  EXPECT_EQ(survivors.first(), 1);
}

}  // namespace
}  // namespace fdg::host
