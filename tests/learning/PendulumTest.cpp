#include <gtest/gtest.h>

#define FDG_PLAN  // no main() from the program
#include "algorithms/ppo.cpp"
#include "tests/learning/Recorder.h"

namespace fdg::test {
namespace {

PpoConfig pendulumConfig() {
  PpoConfig cfg;
  cfg.env = "Pendulum-v1";
  cfg.horizon = 200;
  cfg.iterations = 100;
  cfg.epochs = 10;
  cfg.minibatches = 16;
  cfg.ppo.gamma = 0.9;
  cfg.ppo.entropy_weight = 0;
  cfg.ppo.lr = 1e-3;
  return cfg;
}

TEST(Pendulum, PpoSwingsUp) {
  Recorder record(1);
  fdg::Run run(record);
  const PpoConfig cfg = pendulumConfig();
  ppo(run, cfg);
  const auto& returns = record.points.at("train/return");
  EXPECT_LT(returns.front(), -900);  // a random policy gets about −1,200
  const auto layout = rl::ppoLayout(rl::envSpec(cfg.env), cfg.ppo);
  EXPECT_GE(play(cfg.env, weightsOf(record.saved.at("model"), layout)), -250);
}

}  // namespace
}  // namespace fdg::test
