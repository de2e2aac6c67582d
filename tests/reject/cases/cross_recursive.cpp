// A value that contains itself has no shape that the other side could know.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct Tree {
  std::vector<Tree> children;
  int64_t visits = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  Tree tree{{}, obs.size(0)};
  fdg::partition(fdg::broadcast, tree);  // expected-error {{'tree' cannot cross between fragments: `Tree` contains itself; flatten it}}
  actor.act(obs, tree.visits);
}
FDG_PROGRAM(train)
