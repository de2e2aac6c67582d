// The Ape-X pair of the speed table: feeders and a learner that cost next to nothing around the
// real replay, to see what experience and batches can pass in a second. bench.py says how.

#include <fdg/fdg.h>
#include <fdg/rl.h>

#include "Pair.h"

struct PairConfig {
  int64_t feeders = 8;        ///< Environments, a row each.
  int64_t message = 50;       ///< Transitions a message.
  int64_t batch = 512;        ///< Transitions a batch.
  int64_t warmup = 20'000;    ///< Transitions stored before batches are drawn.
  int64_t steps = 1'000'000;  ///< Iterations of the learner.
  rl::ReplayOptions replay = {.capacity = 100'000, .frames = true};
};

void apexPair(fdg::Run& run, const PairConfig& cfg) {
  pair::Feeder feeder(run.rows(cfg.feeders), cfg.message);
  pair::Intake replay(cfg.replay, run.stream("replay"));
  pair::Greedy learner;

  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto experience = feeder.next();
    fdg::partition(fdg::append.loose(), experience);  // feeder -> buffer
    replay.add(experience);
    int64_t stored = replay.size();
    fdg::partition(fdg::reduce_sum, stored);  // buffer -> learner
    if (stored >= cfg.warmup) {
      auto batch = replay.sample(run.rows(cfg.batch));
      fdg::partition(fdg::scatter, batch);  // buffer -> learner
      auto priorities = learner.look(batch);
      fdg::partition(fdg::gather.loose(), priorities);  // learner -> buffer
      replay.update(priorities);
      if (step % 16 == 0) {
        run.log("accepted", replay.accepted());
        run.log("batches", learner.batches());
      }
    }
  }
}
FDG_PROGRAM(apexPair)
