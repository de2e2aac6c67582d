#include <gtest/gtest.h>

#define FDG_PLAN  // no main() from the programs
#include "algorithms/a2c.cpp"
#include "algorithms/a3c.cpp"
#include "algorithms/apex.cpp"
#include "algorithms/dqn.cpp"
#include "algorithms/ppo.cpp"
#include "tests/learning/Recorder.h"

namespace fdg::test {
namespace {

TEST(CartPole, DqnBalances) {
  Recorder record(1);
  fdg::Run run(record);
  const DqnConfig cfg;
  dqn(run, cfg);
  const auto layout = rl::qLayout(rl::envSpec(cfg.env), cfg.dqn);
  EXPECT_GE(play(cfg.env, weightsOf(record.saved.at("model"), layout)), 475);
}

TEST(CartPole, ApexBalances) {
  Recorder record(1);
  fdg::Run run(record);
  const ApexConfig cfg;
  apex(run, cfg);
  const auto layout = rl::qLayout(rl::envSpec(cfg.env), cfg.dqn);
  EXPECT_GE(play(cfg.env, weightsOf(record.saved.at("model"), layout)), 475);
  const auto& evaluated = record.points.at("eval/return");
  EXPECT_EQ(evaluated.size(), 15U);
  EXPECT_GE(play(cfg.env, weightsOf(record.saved.at("best"), layout)),
            0.9 * *std::ranges::max_element(evaluated));
}

TEST(CartPole, PpoBalancesOnThreeSeeds) {
  for (const uint64_t seed : {1, 2, 3}) {
    Recorder record(seed);
    fdg::Run run(record);
    const PpoConfig cfg;
    ppo(run, cfg);
    const auto layout = rl::actorCriticLayout(rl::envSpec(cfg.env), cfg.ppo.hidden);
    EXPECT_GE(play(cfg.env, weightsOf(record.saved.at("model"), layout)), 475) << "seed " << seed;
    EXPECT_GE(record.lastMean("train/return", 20), 400) << "seed " << seed;
  }
}

template <class Config>
void expectBalances(void (*program)(Run&, const Config&), double least) {
  for (const uint64_t seed : {1, 2}) {
    Recorder record(seed);
    fdg::Run run(record);
    const Config cfg;
    program(run, cfg);
    const auto layout = rl::actorCriticLayout(rl::envSpec(cfg.env), cfg.a2c.hidden);
    EXPECT_GE(play(cfg.env, weightsOf(record.saved.at("model"), layout)), least) << "seed " << seed;
  }
}

TEST(CartPole, A2cBalances) { expectBalances(a2c, 475); }
TEST(CartPole, A3cBalances) { expectBalances(a3c, 400); }

}  // namespace
}  // namespace fdg::test
