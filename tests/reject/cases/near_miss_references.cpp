// Pointers, views and references of several places inside one fragment, a type that contains itself and stays
// where it is, and std::tie on values that crossed.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct Tree {
  std::vector<Tree> children;
  std::map<int64_t, Tree*> known;
  int64_t visits = 0;
};

void visit(Tree* tree) { tree->visits += 1; }
std::pair<torch::Tensor, torch::Tensor> both(const torch::Tensor& x) { return {x.clone(), x.clone()}; }

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  Tree root;
  torch::Tensor obs = envs.reset();
  torch::Tensor other = obs.clone();
  fdg::partition(fdg::gather, obs, other);
  for (int64_t i = 0; i < cfg.steps; ++i) {
    torch::Tensor& chosen = i % 2 == 0 ? obs : other;
    visit(&root);
    root.known[i] = &root;
    auto action = actor.act(chosen, root.known.at(i)->visits);
    std::tie(obs, other) = both(action);
    std::vector<torch::Tensor> kept = {action};
    auto first = kept.begin();
    *first = other;
    for (torch::Tensor* each : {&obs, &other}) {
      *each = *each + action;
    }
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
