// Actors compute gradients; the parameters apply them as they come: a drained reduction, newest weights.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

class FDG_ROLE("parameters") Parameters {
 public:
  explicit Parameters(fdg::Stream stream);
  rl::Weights weights() const;
  void apply(const rl::Grads& grads);
};

class FDG_ROLE("actor") Worker {
 public:
  explicit Worker(fdg::Rows rows);
  void load(FDG_LATEST const rl::Weights& weights);
  torch::Tensor act(const torch::Tensor& obs);
  rl::Grads gradients(const rl::Outcome& outcome) const;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  Worker worker(run.rows(cfg.envs));
  Parameters parameters(run.stream("parameters"));
  torch::Tensor obs = envs.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto weights = parameters.weights();
    fdg::partition(fdg::broadcast.loose(), weights);
    worker.load(weights);
    auto action = worker.act(obs);
    auto outcome = envs.step(action);
    obs = outcome.observation;
    auto grads = worker.gradients(outcome);
    fdg::partition(fdg::reduce_mean.loose(), grads);
    parameters.apply(grads);
  }
}
FDG_PROGRAM(train)

// CHECK: remark: the roles 'environment' and 'actor' are one fragment
// CHECK: fragment environment+actor: components envs, worker
// CHECK: fragment parameters: components parameters
// CHECK: boundary weights: broadcast.loose parameters -> environment+actor
// CHECK: newest-able: yes
// CHECK: boundary grads: reduce_mean.loose environment+actor -> parameters
// CHECK: drainable: yes
// CHECK: rate class: environment+actor; apart from the others if loosened: weights, grads
// CHECK: rate class: parameters; apart from the others if loosened: weights, grads
