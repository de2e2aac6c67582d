// Components between which no annotation can stand.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

class FDG_ROLE("buffer") Store {
 public:
  void fill(rl::Learner& learner);
  const torch::Tensor& newest() const;
  std::string_view label() const;
};

class Reader {
 public:
  void take(std::string_view label);
};

#define LOAD(to, from) to.load(from.weights())

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  rl::Actor second({}, run.rows(cfg.envs), run.stream("second"));
  rl::Learner learner({}, run.stream("learner"));
  rl::Learner critic({}, run.stream("critic"));
  Store store;
  Reader reader;
  for (int64_t step = 0; step < cfg.steps && learner.loss() < envs.finishedReturns(); ++step) {
    LOAD(actor, learner);
  }
  store.fill(critic);
  const auto& newest = store.newest();
  second.act(newest);
  auto label = store.label();
  reader.take(label);
}
FDG_PROGRAM(train)

// CHECK: 30:3: remark: 'environment' and 'learner' stay in one fragment: this statement cannot be taken apart: `envs.finishedReturns()` does not run every time
// CHECK: 31:10: remark: 'environment+learner' and 'actor' stay in one fragment: this statement cannot be taken apart: it comes from a macro
// CHECK: 33:3: remark: 'learner' and 'buffer' stay in one fragment: this statement cannot be taken apart: it hands over the component `critic` itself
// CHECK: 35:3: remark: 'actor' and 'learner+buffer' stay in one fragment: this statement cannot be taken apart: it reaches the component `store` through a function or a reference
// CHECK: 36:3: remark: 'actor+learner+buffer' and 'reader' stay in one fragment: `label` cannot cross
// CHECK-NOT: warning
// CHECK: remark: the roles 'environment' and 'actor' are one fragment
// CHECK: fragment environment+actor+learner: components envs, actor, learner
// CHECK: fragment actor+learner+buffer: components second, critic, store, reader
