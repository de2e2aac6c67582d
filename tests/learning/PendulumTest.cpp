#include <gtest/gtest.h>

#define FDG_PLAN  // no main() from the programs
#include "algorithms/ddpg.cpp"
#include "algorithms/fastsac.cpp"
#include "algorithms/ppo.cpp"
#include "algorithms/sac.cpp"
#include "algorithms/td3.cpp"
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
  const auto layout = rl::actorCriticLayout(rl::envSpec(cfg.env), cfg.ppo.hidden);
  EXPECT_GE(play(cfg.env, weightsOf(record.saved.at("model"), layout)), -250);
}

/// Half of the programs' 20,000 environment steps are enough.
template <class Config>
void expectSwingsUp(void (*program)(Run&, const Config&), const std::vector<int64_t>& hidden,
                    int64_t outputs) {
  Recorder record(1);
  fdg::Run run(record);
  Config cfg;
  cfg.steps = 2'500;
  program(run, cfg);
  EXPECT_LT(record.points.at("train/return").front(), -900);
  const auto layout = rl::squashedLayout(rl::envSpec(cfg.env), hidden, outputs);
  EXPECT_GE(play(cfg.env, weightsOf(record.saved.at("model"), layout)), -200);
}

TEST(Pendulum, SacSwingsUp) { expectSwingsUp(sac, SacConfig().sac.hidden, 2); }
TEST(Pendulum, Td3SwingsUp) { expectSwingsUp(td3, Td3Config().dpg.hidden, 1); }
TEST(Pendulum, DdpgSwingsUp) { expectSwingsUp(ddpg, DdpgConfig().dpg.hidden, 1); }

/// As algorithms/configs/fastsac-Pendulum-v1.yaml has it.
TEST(Pendulum, FastSacSwingsUp) {
  FastSacConfig cfg;
  cfg.envs = 64;
  cfg.steps = 1'000;
  cfg.batch = 256;
  cfg.warmup = 1'280;
  cfg.capacity = 100'000;
  cfg.fastsac.policy_hidden = {64, 64};
  cfg.fastsac.critic_hidden = {64, 64};
  cfg.fastsac.atoms = 51;
  cfg.fastsac.lr = 1e-3;
  Recorder record(1);
  fdg::Run run(record);
  fastsac(run, cfg);
  EXPECT_LT(record.points.at("train/return").front(), -900);
  const auto layout = rl::squashedLayout(rl::envSpec(cfg.env), cfg.fastsac);
  EXPECT_GE(play(cfg.env, weightsOf(record.saved.at("model"), layout)), -200);
}

}  // namespace
}  // namespace fdg::test
