// Programs run, for a short while, on every other kind of environment that they accept.
#include <gtest/gtest.h>

#define FDG_PLAN  // no main() from the programs
#include "algorithms/a2c.cpp"
#include "algorithms/a3c.cpp"
#include "algorithms/apex.cpp"
#include "algorithms/ddpg.cpp"
#include "algorithms/dqn.cpp"
#include "algorithms/mappo.cpp"
#include "algorithms/ppo.cpp"
#include "algorithms/sac.cpp"
#include "algorithms/td3.cpp"
#include "tests/learning/Recorder.h"

namespace fdg::test {
namespace {

template <class Config>
Recorder shortRun(void (*program)(Run&, const Config&), const Config& cfg) {
  Recorder record(1);
  fdg::Run run(record);
  program(run, cfg);
  for (const double loss : record.points.at("loss")) {
    EXPECT_TRUE(std::isfinite(loss)) << cfg.env;
  }
  return record;
}

TEST(OtherEnvs, PpoRuns) {
  for (const char* env : {"Acrobot-v1", "MountainCar-v0", "MountainCarContinuous-v0"}) {
    PpoConfig cfg;
    cfg.env = env;
    cfg.iterations = 5;
    shortRun(ppo, cfg);
  }
}

TEST(OtherEnvs, A2cAndA3cRun) {
  for (const char* env : {"Acrobot-v1", "Pendulum-v1"}) {
    A2cConfig synchronous;
    synchronous.env = env;
    synchronous.iterations = 20;
    shortRun(a2c, synchronous);
    A3cConfig asynchronous;
    asynchronous.env = env;
    asynchronous.iterations = 20;
    shortRun(a3c, asynchronous);
  }
}

/// A world with one agent, and one whose actions are continuous.
TEST(OtherEnvs, MappoRuns) {
  for (const char* env : {"CartPole-v1", "Pendulum-v1"}) {
    for (const bool separate : {true, false}) {
      MappoConfig cfg;
      cfg.env = env;
      cfg.separate = separate;
      cfg.iterations = 5;
      shortRun(mappo, cfg);
    }
  }
}

TEST(OtherEnvs, DqnAndApexRun) {
  for (const char* env : {"Acrobot-v1", "MountainCar-v0"}) {
    DqnConfig d;
    d.env = env;
    d.steps = 300;
    shortRun(dqn, d);
    ApexConfig a;
    a.env = env;
    a.steps = 300;
    EXPECT_EQ(shortRun(apex, a).points.at("eval/return").size(), 1U);
  }
}

TEST(OtherEnvs, SacTd3AndDdpgRun) {
  const auto shorter = [](auto cfg) {
    cfg.env = "MountainCarContinuous-v0";
    cfg.steps = 300;
    cfg.warmup = 200;
    return cfg;
  };
  const Recorder record = shortRun(sac, shorter(SacConfig()));
  EXPECT_LT(record.lastMean("temperature", 1), 1);
  shortRun(td3, shorter(Td3Config()));
  shortRun(ddpg, shorter(DdpgConfig()));
}

TEST(OtherEnvs, SquashedPoliciesRefuseDiscreteActions) {
  SacConfig cfg;
  cfg.env = "CartPole-v1";
  Recorder record(1);
  fdg::Run run(record);
  EXPECT_THROW(sac(run, cfg), UserError);
}

TEST(OtherEnvs, QLearningRefusesContinuousActions) {
  DqnConfig cfg;
  cfg.env = "Pendulum-v1";
  Recorder record(1);
  fdg::Run run(record);
  EXPECT_THROW(dqn(run, cfg), UserError);
}

}  // namespace
}  // namespace fdg::test
