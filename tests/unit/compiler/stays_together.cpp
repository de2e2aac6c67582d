// Components between which no annotation can stand.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

class FDG_ROLE("buffer") Store {
 public:
  void fill(rl::Learner& learner);
  const torch::Tensor& newest() const;
  torch::Tensor* oldest();
};

#define LOAD(to, from) to.load(from.weights())

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  rl::Actor second({}, run.rows(cfg.envs), run.stream("second"));
  rl::Learner learner({}, run.stream("learner"));
  rl::Learner critic({}, run.stream("critic"));
  Store store;
  for (int64_t step = 0; step < cfg.steps && learner.loss() < envs.finishedReturns(); ++step) {
    LOAD(actor, learner);
  }
  store.fill(critic);
  const auto& newest = store.newest();
  second.act(newest);
}
FDG_PROGRAM(train)

// CHECK: 24:3: remark: 'environment' and 'learner' stay in one fragment: this statement cannot be taken apart: it stands in the header of a loop
// CHECK: 25:10: remark: 'environment+learner' and 'actor' stay in one fragment: this statement cannot be taken apart: it comes from a macro
// CHECK: 27:3: remark: 'learner' and 'buffer' stay in one fragment: this statement cannot be taken apart: it hands over the component `critic` itself
// CHECK: 28:3: remark: 'actor' and 'learner+buffer' stay in one fragment: `newest` cannot cross
// CHECK-NOT: warning
// CHECK: remark: the roles 'environment' and 'actor' are one fragment
// CHECK: fragment environment+actor+learner: components envs, actor, learner
// CHECK: fragment actor+learner+buffer: components second, critic, store
