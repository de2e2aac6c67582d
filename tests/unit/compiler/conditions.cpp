// Conditions: free and derived ones are copied, any other is decided by its owner and told.

struct Config {
  int64_t steps = 10;
  int64_t warmup = 5;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Replay replay({}, run.stream("replay"));
  rl::Learner learner({}, run.stream("learner"));
  bool warm = false;
  while (true) {
    auto outcome = envs.step({});
    if (learner.loss() < 0.1) {
      break;
    }
    if (cfg.warmup > 3) {
      run.log("reward", outcome.reward.mean().item<double>());
    }
    bool ended = outcome.done.any().item<bool>();
    fdg::partition(fdg::reduce_any, ended);
    if (ended && !warm) {
      warm = true;
      continue;
    }
    if (replay.size() > cfg.warmup) {
      auto batch = replay.sample(run.rows(8));
      fdg::partition(fdg::scatter, batch);
      learner.gradients(batch);
    }
  }
}
FDG_PROGRAM(train)

// CHECK: 16:{{.*}}remark: fragment 'learner' decides this and tells environment, buffer
// CHECK: 28:{{.*}}remark: fragment 'buffer' decides this and tells learner
// CHECK: choice choice: learner -> environment, buffer; line 16
// CHECK: boundary ended: reduce_any environment -> buffer, learner; line 23
// CHECK: choice choice2: buffer -> learner; line 28
// CHECK: 17: jump by environment, buffer, learner: break
// CHECK: 19: copied by environment: if (cfg.warmup > 3)
// CHECK: 24: copied by buffer, learner: if (ended && !warm)
// CHECK: 25: copied by buffer, learner: warm = true
// CHECK: 26: jump by buffer, learner: continue
