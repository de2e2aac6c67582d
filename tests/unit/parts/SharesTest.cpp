// Replicas that own a share of the rows give, one after the other, the rows of the sequential run,
// bit for bit: environments and actors together, as policies dp-a and dp-b place them.
#include <gtest/gtest.h>

#include "fdg/rl.h"
#include "fdg/rows.h"
#include "tests/unit/parts/QWorker.h"

namespace fdg::rl {
namespace {

template <class T>
T joined(const std::vector<T>& parts) {
  std::vector<const T*> pointers;
  for (const T& part : parts) {
    pointers.push_back(&part);
  }
  return value::concatRows<T>(pointers);
}

template <class T>
bool sameValue(const T& a, const T& b) {
  value::Parts left, right;
  value::pack(a, left);
  value::pack(b, right);
  return value::sameParts(left, right);
}

std::vector<Rows> cut(int64_t total, int64_t replicas, int64_t block = 1) {
  std::vector<Rows> rows;
  for (int64_t i = 0; i < replicas; ++i) {
    rows.push_back(cutRows(total, {i, i + 1, replicas}, block));
  }
  return rows;
}

/// Of a world with several agents: one for each.
std::string networksOf(const std::string& env) {
  const EnvSpec spec = envSpec(env);
  return centralCritic(spec, PpoOptions().hidden, spec.agents > 1);
}

struct PpoWorker {
  VectorEnv envs;
  RolloutActor actor;
  torch::Tensor obs;

  PpoWorker(const std::string& env, Rows rows)
      : envs(env, rows, Stream(1, "env")),
        actor(envSpec(env), rows, 64, networksOf(env), Stream(1, "actor")),
        obs(envs.reset()) {}

  Rollout collect(const Weights& weights) {
    actor.load(weights);
    for (int t = 0; t < 64; ++t) {
      const Outcome outcome = envs.step(actor.act(obs));
      actor.record(outcome);
      obs = outcome.observation;
    }
    return actor.rollout(obs);
  }
};

TEST(Shares, PpoRolloutsOfReplicasAreTheSequentialOne) {
  for (const char* env : {"CartPole-v1", "Pendulum-v1", "simple_spread"}) {
    const EnvSpec spec = envSpec(env);
    const Rows all_rows = {0, 7 * spec.agents, 7 * spec.agents};
    for (const int64_t replicas : {2, 3, 7, 9}) {
      PpoLearner learner(spec, all_rows, 4, networksOf(env), {}, Stream(1, "learner"));
      PpoWorker whole(env, all_rows);
      std::vector<PpoWorker> workers;
      for (const Rows rows : cut(all_rows.total, replicas, spec.agents)) {
        workers.emplace_back(env, rows);
      }
      for (int iteration = 0; iteration < 5; ++iteration) {
        const Weights weights = learner.weights();
        const Rollout all = whole.collect(weights);
        std::vector<Rollout> parts;
        for (PpoWorker& worker : workers) {
          parts.push_back(worker.collect(weights));
        }
        ASSERT_TRUE(sameValue(joined(parts), all)) << env << " on " << replicas << " replicas";
        learner.begin(all, 0);
        learner.shuffle();
        for (int64_t k = 0; k < 4; ++k) {
          learner.apply(learner.gradients(k, learner.moments(k)));
        }
      }
    }
  }
}

TEST(Shares, ExperienceOfReplicasIsTheSequentialOne) {
  const DqnOptions options = {
      .hidden = {33, 20}, .n_step = 3, .dueling = true, .explore_ladder = true};
  const EnvKind kind = envKind("CartPole-v1");
  for (const int64_t replicas : {2, 3, 8}) {
    DqnLearner learner(kind.spec, options, Stream(1, "learner"));
    PrioritizedReplay replay(kind.spec, {.capacity = 1000}, Stream(1, "replay"));
    QWorker whole(kind, {0, 8, 8}, options);
    std::vector<QWorker> workers;
    for (const Rows rows : cut(8, replicas)) {
      workers.emplace_back(kind, rows, options);
    }
    for (int64_t at = 0; at < 600; ++at) {
      const Weights weights = learner.weights();
      const Experience all = whole.step(weights, at);
      std::vector<Experience> parts;
      for (QWorker& worker : workers) {
        parts.push_back(worker.step(weights, at));
      }
      ASSERT_TRUE(sameValue(joined(parts), all))
          << "step " << at << " on " << replicas << " replicas";
      replay.add(all);
      if (replay.size() > 100) {
        const Batch batch = replay.sample({0, 32, 32});
        replay.update(learner.apply(learner.gradients(batch), batch));
      }
    }
  }
}

TEST(Shares, TwoRunsGiveTheSameBits) {
  const auto train = [] {
    PpoLearner learner(envSpec("CartPole-v1"), {0, 4, 4}, 4, {}, Stream(9, "learner"));
    PpoWorker worker("CartPole-v1", {0, 4, 4});
    for (int iteration = 0; iteration < 3; ++iteration) {
      learner.begin(worker.collect(learner.weights()), 0.1);
      learner.shuffle();
      for (int64_t k = 0; k < 4; ++k) {
        learner.apply(learner.gradients(k, learner.moments(k)));
      }
    }
    return learner.weights();
  };
  EXPECT_TRUE(sameValue(train(), train()));
}

TEST(Evaluator, WeightsThatNobodyMadeAreASentence) {
  Evaluator evaluator("CartPole-v1", 1, Stream(1, "eval"));
  EXPECT_THROW(evaluator.run(Weights{}), UserError);
  EXPECT_THROW(evaluator.best().namedTensors(), UserError);
  Weights cut = DqnLearner(envSpec("CartPole-v1"), {.hidden = {8}}, Stream(1, "learner")).weights();
  cut.flat = cut.flat.slice(0, 1);
  EXPECT_THROW(evaluator.run(cut), UserError);
}

TEST(Evaluator, PlaysWholeEpisodesGreedily) {
  Evaluator evaluator("CartPole-v1", 4, Stream(1, "eval"));
  DqnLearner learner(envSpec("CartPole-v1"), {.hidden = {8}}, Stream(1, "learner"));
  const double first = evaluator.run(learner.weights());
  EXPECT_GE(first, 5);
  EXPECT_LE(first, 500);
  Evaluator again("CartPole-v1", 4, Stream(1, "eval"));
  EXPECT_EQ(again.run(learner.weights()), first);
}

TEST(Evaluator, KnowsTheBestRunAlsoWhenRestored) {
  DqnLearner learner(envSpec("CartPole-v1"), {.hidden = {8}}, Stream(1, "learner"));
  value::Parts kept;
  double best = 0;
  Stream stream(2, "weights");
  torch::Tensor best_flat;
  for (int run = 0; run < 12; ++run) {
    Evaluator evaluator("CartPole-v1", 2, Stream(1, "eval"));
    EXPECT_FALSE(evaluator.isBest());
    if (run > 0) {
      Archive restore = Archive::restorer(kept);
      evaluator.archive(restore);
    }
    Weights weights = learner.weights();
    stream.fillNormal(0,
                      {weights.flat.data_ptr<float>(), static_cast<size_t>(weights.flat.numel())});
    const double found = evaluator.run(weights);
    EXPECT_EQ(evaluator.isBest(), found > best) << run;
    if (found > best) {
      best = found;
      best_flat = weights.flat;
    }
    EXPECT_TRUE(evaluator.best().flat.equal(best_flat));
    kept = {};
    Archive save = Archive::saver(kept);
    evaluator.archive(save);
  }
}

}  // namespace
}  // namespace fdg::rl
