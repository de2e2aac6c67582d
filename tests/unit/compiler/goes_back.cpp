// A learner whose replicas have rows of their own gives a value and takes it back: only the user knows what it is
// of all rows, so fdgc says so. Not of gradients, which it reduces, nor of what no rows go into.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

class FDG_ROLE("learner") Learner {
 public:
  Learner(fdg::Rows rows, fdg::Stream stream);
  void begin(const rl::Outcome& rollout);
  torch::Tensor moments(int64_t k);
  rl::Grads gradients(int64_t k, const torch::Tensor& moments);
  void apply(const rl::Grads& grads);
};
class FDG_ROLE("learner") Critic {
 public:
  double rate() const;
  void anneal(double rate);
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  Learner learner(run.rows(cfg.envs), run.stream("learner"));
  Critic critic;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto rollout = envs.step({});
    learner.begin(rollout);
    auto moments = learner.moments(step);
    auto grads = learner.gradients(step, moments);
    learner.apply(grads);
    double rate = critic.rate();
    critic.anneal(rate);
  }
}
FDG_PROGRAM(train)

// CHECK-NOT: `rate` goes back
// CHECK: 30:5: remark: `moments` goes back into 'learner', uncut: if it is computed from rows, replicas of 'learner' each have their own `moments` and learn otherwise than one would; if it is a sum over rows, write `fdg::partition(fdg::reduce_sum, moments);` behind this statement
// CHECK-NOT: goes back
// CHECK: boundary grads: reduce_mean learner -> learner
