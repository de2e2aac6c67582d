// expected-no-diagnostics
// Accepted: what looks the same on every replica and is not, because a condition or a jump of one replica
// decides about it.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Replay replay({}, run.stream("replay"));
  rl::Learner learner({}, run.stream("learner"));
  const int64_t mine = run.rows(cfg.envs).size();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto outcome = envs.step({});
    fdg::partition(fdg::append, outcome);
    replay.add({outcome.observation, outcome.reward, outcome.reward});
    bool full = false;
    if (replay.size() > 3) {
      full = true;
    }
    fdg::partition(fdg::reduce_all, full);
    int64_t rounds = 0;
    for (int64_t i = 0; i < cfg.envs; ++i) {
      if (i >= mine) {
        break;
      }
      rounds = i;
    }
    fdg::partition(fdg::reduce_max, rounds);
    if (full && rounds > 2) {
      run.log("loss", learner.loss());
    }
  }
}
FDG_PROGRAM(train)
