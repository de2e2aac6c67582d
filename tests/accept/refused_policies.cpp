// Facts that hold and facts that do not: what a policy may ask for runs, what it may not is refused with the
// reason and the line.
#include "parts.h"

struct Config {
  int64_t steps = 30;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment env(run.rows(cfg.envs));
  parts::Actor actor;
  parts::Buffer buffer;
  parts::Learner learner;
  auto obs = env.reset();
  fdg::partition(fdg::gather, obs);
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto weights = learner.weights();
    fdg::partition(fdg::broadcast.loose(), weights);
    actor.load(weights);
    auto action = actor.act(obs);
    fdg::partition(fdg::scatter, action);
    auto outcome = env.step(action);
    fdg::partition(fdg::gather, outcome);
    parts::Experience experience{obs, action, outcome.reward};
    obs = outcome.observation;
    fdg::partition(fdg::append.loose(), experience);
    buffer.add(experience);
    parts::Experience numbered{obs, action, outcome.reward};
    fdg::partition(fdg::append.loose(), numbered);
    if (step % 2 == 0) {
      buffer.add(numbered);
    }
    int64_t size = buffer.size();
    fdg::partition(fdg::reduce_sum.loose(), size);
    if (buffer.size() > size / 2) {
      auto batch = buffer.sample(2);
      fdg::partition(fdg::broadcast.loose(), batch);
      run.log("mean", batch.sum().item<int64_t>() + learner.version());
      learner.learn(batch);
    }
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: boundary experience: append.loose actor -> buffer
// RUNS: drain_experience.yaml
// REFUSED: {groups: {all: {fragments: rest}}, boundaries: {action: {mode: drain}}} => boundary action (scatter at
// REFUSED: {groups: {all: {fragments: rest}}, boundaries: {action: {mode: drain}}} => refused_policies.cpp:22) cannot be drained: `action` at line 22 is not marked loose: write fdg::scatter.loose() if the algorithm stays valid with stale values
// REFUSED: {groups: {all: {fragments: rest}}, boundaries: {action: {mode: newest}}} => cannot be read newest only: `action` at line 22 is not marked loose
// REFUSED: {groups: {all: {fragments: rest}}, boundaries: {numbered: {mode: drain}}} => cannot be drained: the condition `step % 2 == 0` at line 31 reads the loop counter `step`; send it along: fdg::partition(…, numbered, step)
// REFUSED: {groups: {all: {fragments: rest}}, boundaries: {experience: {mode: newest}}} => cannot be read newest only: append carries rows or terms, and skipping a message would lose them
// REFUSED: {groups: {all: {fragments: rest}}, boundaries: {batch: {mode: newest}}} => cannot be read newest only: `run.log("mean", batch.sum().item<int64_t>() + le…` at line 39 uses `batch` otherwise than as an argument marked FDG_LATEST
// REFUSED: {groups: {all: {fragments: rest}}, boundaries: {size: {mode: drain}}} => fragment 'buffer' makes `size` and waits for the result of reduce_sum itself
// REFUSED: {groups: {b: {fragments: buffer, replicas: 2}, r: {fragments: rest}}} => group b has 2 replicas, but fragment buffer cannot be replicated: replicas could disagree on `buffer.size() > size / 2` at line 36
