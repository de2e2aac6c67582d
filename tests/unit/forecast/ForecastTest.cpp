// The walk against times that can be worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/forecast/Forecast.h"
#include "tests/unit/place/Plans.h"

namespace fdg::forecast {
namespace {

using host::ScriptRecord;
using host::StepRecord;
using ::testing::DoubleNear;
using ::testing::HasSubstr;
using Kind = StepRecord::Kind;

constexpr double kMs = 1e-3;
constexpr double kWire = 1e9;  // bytes per second

/// An actor sends rows to a learner and gets weights back.
Manifest pingPong() {
  place::PlanBuilder b("pingpong");
  b.fragment("actor", {"actor"}, {"actor"});
  b.fragment("learner", {"learner"}, {"learner"});
  b.boundary("rows", OperationKind::gather, "actor", {"learner"});
  b.boundary("weights", OperationKind::broadcast, "learner", {"actor"});
  LoopInfo loop;
  loop.id = 1;
  loop.has_boundary = true;
  loop.fragments = {0, 1};
  b.plan.loops = {loop};
  return b.plan;
}

/// The actor computes 4 ms, the learner 2 ms.
Timings pingPongTimings(double actor = 4 * kMs, double learner = 2 * kMs, int64_t of = 1,
                        int64_t bytes = 0) {
  ScriptRecord a{0, 1, of, {7}, {}};
  a.steps = {{Kind::send, 0, actor, bytes}, {Kind::receive, 1, 0, 0}, {Kind::end, -1, 0, 0}};
  ScriptRecord l{1, 1, of, {7}, {}};
  l.steps = {{Kind::receive, 0, 0, 0}, {Kind::send, 1, learner, 100}, {Kind::end, -1, 0, 0}};
  return {a, l};
}

place::Policy policy(const std::string& groups) {
  return place::readPolicy("groups:\n" + groups, "p.yaml").orThrow();
}

place::Policy apart(int actors) {
  return policy("  w: {fragments: [actor], replicas: " + std::to_string(actors) +
                "}\n  l: {fragments: [learner], replicas: 1}\n");
}

place::Cluster cluster(std::vector<place::Node> nodes, double within, double between = 0) {
  return {.nodes = std::move(nodes),
          .ranks_are_fixed = true,
          .within = {within, kWire, false},
          .between = {between, kWire, false}};
}

Forecast of(const Manifest& plan, const place::Policy& policy, const place::Cluster& cluster,
            const std::vector<Timings>& timings) {
  const auto placement = place::place(plan, policy, cluster).orThrow();
  return forecast(plan, placement, cluster, timings).orThrow();
}

TEST(Forecast, OneRankAddsUpWhatItsFragmentsCompute) {
  const auto f = of(pingPong(), policy("  all: {fragments: rest}\n"),
                    cluster({{.ranks = 1, .cores = 1}}, 1 * kMs), {pingPongTimings()});
  EXPECT_THAT(f.seconds_per_iteration, DoubleNear(6 * kMs, 1e-9));
}

TEST(Forecast, TwoRanksAddTwoLatencies) {
  const auto f =
      of(pingPong(), apart(1), cluster({{.ranks = 2, .cores = 2}}, 1 * kMs), {pingPongTimings()});
  EXPECT_THAT(f.seconds_per_iteration, DoubleNear(8 * kMs, 1e-5));
  EXPECT_THAT(f.fragments[0].computing, DoubleNear(0.5, 0.05));
}

TEST(Forecast, BetweenNodesTheNetworkCounts) {
  const auto nodes = std::vector<place::Node>{{.ranks = 1, .cores = 1}, {.ranks = 1, .cores = 1}};
  const auto f = of(pingPong(), apart(1), cluster(nodes, 1 * kMs, 5 * kMs), {pingPongTimings()});
  EXPECT_THAT(f.seconds_per_iteration, DoubleNear(16 * kMs, 1e-5));
  EXPECT_EQ(f.boundaries[0].between.messages, 1);
  EXPECT_EQ(f.boundaries[0].within.messages, 0);
}

TEST(Forecast, OverMpiARankThatWaitsLooksNowAndThen) {
  auto two = cluster({{.ranks = 2, .cores = 2}}, 1 * kMs);
  two.within.is_asked = true;
  // Each waits 6 or 4 ms and looks 0.05, 0.25, 0.65, 1.45, 2.45 … ms after it began to.
  const auto f = of(pingPong(), apart(1), two, {pingPongTimings()});
  EXPECT_GT(f.seconds_per_iteration, 8 * kMs);
  EXPECT_LT(f.seconds_per_iteration, 10 * kMs);
}

TEST(Forecast, BytesTakeTheirTime) {
  const auto timings = pingPongTimings(4 * kMs, 2 * kMs, 1, 3'000'000);  // 3 ms of wire
  const auto f = of(pingPong(), apart(1), cluster({{.ranks = 2, .cores = 2}}, 1 * kMs), {timings});
  EXPECT_THAT(f.seconds_per_iteration, DoubleNear(11 * kMs, 1e-5));
  EXPECT_NEAR(f.boundaries[0].within.bytes, 3e6, 100);
}

TEST(Forecast, ReplicasShareRowsAndCores) {
  const auto three = [](int cores) { return cluster({{.ranks = 3, .cores = cores}}, 0); };
  // Half the rows, half the time, if there is a core for each.
  EXPECT_THAT(of(pingPong(), apart(2), three(3), {pingPongTimings()}).seconds_per_iteration,
              DoubleNear(4 * kMs, 1e-5));
  EXPECT_THAT(of(pingPong(), apart(2), three(1), {pingPongTimings()}).seconds_per_iteration,
              DoubleNear(6 * kMs, 1e-5));
}

TEST(Forecast, TwoMeasurementsTellWhatDoesNotShrink) {
  // 1 ms for any number of rows and 3 ms for all of them: two of four replicas take 2.5 ms.
  const std::vector<Timings> measured = {pingPongTimings(4 * kMs, 2 * kMs),
                                         pingPongTimings(1.75 * kMs, 2 * kMs, 4)};
  EXPECT_THAT(timeFactor(0, 0.5, measured) * 4, DoubleNear(2.5, 1e-9));
  EXPECT_THAT(timeFactor(0, 1, measured), DoubleNear(1, 1e-9));
  EXPECT_THAT(timeFactor(0, 0.5, {measured.front()}), DoubleNear(0.5, 1e-9));
}

TEST(Forecast, ReductionsWaitForAllReplicas) {
  place::PlanBuilder b("reduce");
  b.fragment("learner", {"learner"}, {"learner"});
  b.boundary("grads", OperationKind::reduce_mean, "learner", {"learner"}).producer_needs_result =
      true;
  LoopInfo loop;
  loop.has_boundary = true;
  loop.fragments = {0};
  b.plan.loops = {loop};
  ScriptRecord learner{0, 1, 1, {0}, {}};
  learner.steps = {{Kind::exchange, 0, 6 * kMs, 1000}, {Kind::end, -1, 0, 0}};
  const auto four = cluster({{.ranks = 4, .cores = 4}}, 1 * kMs);
  const auto f = of(b.plan, policy("  l: {fragments: rest, replicas: 4}\n"), four, {{learner}});
  // A quarter of the rows, a latency, and the four terms of 1 µs into each rank.
  EXPECT_THAT(f.seconds_per_iteration, DoubleNear(2.5 * kMs, 1e-5));
  EXPECT_EQ(f.boundaries[0].within.messages, 12);
}

/// Experience flows to a learner that is four times as fast as the actor.
Manifest loosePlan() {
  Manifest plan = pingPong();
  plan.boundaries[0].operation = OperationKind::append;
  plan.boundaries[0].loose = plan.boundaries[1].loose = true;
  plan.boundaries[0].drainable = plan.boundaries[1].newest_able = {};
  return plan;
}

TEST(Forecast, LoosenedFragmentsRunAtTheirOwnPace) {
  const auto loose = [](const std::string& ahead) {
    return place::readPolicy(
               "groups:\n  w: {fragments: [actor]}\n  l: {fragments: [learner]}\n"
               "boundaries:\n  rows: {mode: drain, ahead: " +
                   ahead + "}\n  weights: {mode: newest}\nstop: l\n",
               "p.yaml")
        .orThrow();
  };
  const auto two = cluster({{.ranks = 2, .cores = 2}}, 1 * kMs);
  const std::vector<Timings> timings = {pingPongTimings(8 * kMs, 2 * kMs)};
  EXPECT_THAT(of(loosePlan(), loose("any"), two, timings).seconds_per_iteration,
              DoubleNear(2 * kMs, 1e-5));
  EXPECT_THAT(of(loosePlan(), loose("0"), two, timings).seconds_per_iteration,
              DoubleNear(8 * kMs, 1e-5));
}

TEST(Forecast, AReaderThatIsTooFarBehindWaits) {
  const auto policy = [](const std::string& staleness) {
    return place::readPolicy(
               "groups:\n  w: {fragments: [actor]}\n  l: {fragments: [learner]}\n"
               "boundaries:\n  rows: {mode: drain, behind: any}\n  weights: {mode: newest" +
                   staleness + "}\nstop: w\n",
               "p.yaml")
        .orThrow();
  };
  const auto two = cluster({{.ranks = 2, .cores = 2}}, 1 * kMs);
  const std::vector<Timings> timings = {pingPongTimings(2 * kMs, 8 * kMs)};
  EXPECT_THAT(of(loosePlan(), policy(""), two, timings).seconds_per_iteration,
              DoubleNear(2 * kMs, 1e-4));
  EXPECT_THAT(of(loosePlan(), policy(", max_staleness: 1"), two, timings).seconds_per_iteration,
              DoubleNear(8 * kMs, 1e-4));
}

TEST(Forecast, RefusesWhatDoesNotFit) {
  const auto two = cluster({{.ranks = 2, .cores = 2}}, 1 * kMs);
  const auto error = [&](const Manifest& plan, const Timings& timings) {
    const auto placement = place::place(plan, apart(1), two).orThrow();
    return forecast(plan, placement, two, {timings}).error();
  };
  Timings drained = pingPongTimings();
  drained[1].steps[0].kind = Kind::drain;
  EXPECT_THAT(error(pingPong(), drained), HasSubstr("boundary rows drained"));
  Timings later = pingPongTimings();
  later[0].iterations = {8};
  EXPECT_THAT(error(pingPong(), later), HasSubstr("no iteration that all fragments"));
  Timings one = pingPongTimings();
  one.pop_back();
  EXPECT_THAT(error(pingPong(), one), HasSubstr("nothing of fragment learner"));
  Timings mute = pingPongTimings();
  mute[0].steps.erase(mute[0].steps.begin());
  EXPECT_THAT(error(pingPong(), mute), HasSubstr("do not fit together"));
}

TEST(Forecast, SaysItInWords) {
  const auto f =
      of(pingPong(), apart(1), cluster({{.ranks = 2, .cores = 2}}, 1 * kMs), {pingPongTimings()});
  EXPECT_THAT(explainForecast(pingPong(), f),
              HasSubstr("one iteration takes 8.00 ms, so 125 a second"));
}

}  // namespace
}  // namespace fdg::forecast
