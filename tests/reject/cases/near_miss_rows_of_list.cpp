// Lists with an element for each row, tensors beside each other, and lists that are no rows.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct Row {
  torch::Tensor trajectory;
};
struct Net {
  std::vector<torch::Tensor> tensors;
};
struct Env {
  explicit Env(fdg::Rows rows);
  std::vector<Row> trajectories();
  std::vector<std::vector<double>> features();
  std::array<torch::Tensor, 2> both();
  std::tuple<torch::Tensor, std::vector<int64_t>> numbered();
  void load(const Net& net);
};
struct Learner {
  Net weights() const;
  std::vector<torch::Tensor> gradients();
  void learn(const std::vector<Row>& rows, const std::vector<std::vector<double>>& features,
             const std::array<torch::Tensor, 2>& both, const std::tuple<torch::Tensor, std::vector<int64_t>>& numbered);
  void apply(const std::vector<torch::Tensor>& gradients);
};

void train(fdg::Run& run, const Config& cfg) {
  Env env(run.rows(cfg.envs));
  Learner learner;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto weights = learner.weights();
    fdg::partition(fdg::broadcast, weights);
    env.load(weights);
    auto rows = env.trajectories();
    auto features = env.features();
    auto both = env.both();
    auto numbered = env.numbered();
    fdg::partition(fdg::gather, rows, features, both, numbered);
    learner.learn(rows, features, both, numbered);
    auto gradients = learner.gradients();
    fdg::partition(fdg::reduce_mean, gradients);
    learner.apply(gradients);
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
