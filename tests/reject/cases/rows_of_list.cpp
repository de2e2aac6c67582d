// What is collected over time crosses as a list, and a list's elements are its rows.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct Rollout {
  torch::Tensor last;
  std::vector<torch::Tensor> rewards;
};
using Steps = std::vector<std::pair<torch::Tensor, torch::Tensor>>;
struct Learner {
  void learn(const std::vector<torch::Tensor>& observations, const Rollout& rollout);
  void add(const Steps& steps);
  void see(const std::vector<torch::Tensor>& all);
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  Learner learner;
  std::vector<torch::Tensor> observations;
  Rollout rollout;
  Steps steps;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto outcome = envs.step({});
    observations.push_back(outcome.observation);
    rollout.rewards.push_back(outcome.reward);
    steps.emplace_back(outcome.observation, outcome.reward);
  }
  fdg::partition(fdg::gather, observations, rollout);  // expected-warning {{'observations' crosses by gather, and the rows of a `std::vector<torch::Tensor>` are its elements}} expected-warning {{'rollout' crosses by gather, and its field `rewards`: the rows of a `std::vector<torch::Tensor>` are its elements}}
  learner.learn(observations, rollout);
  fdg::partition(fdg::append.loose(), steps);  // expected-warning {{'steps' crosses by append}}
  learner.add(steps);
  std::vector<torch::Tensor> all = {envs.reset()};
  fdg::partition(fdg::all_gather, all);  // expected-warning {{'all' crosses by all_gather}}
  learner.see(all);
}
FDG_PROGRAM(train)
