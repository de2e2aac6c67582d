// Helpers that call each other; what one of them writes counts for both.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void descend(const torch::Tensor& kept, const torch::Tensor& t, int64_t depth);
void step(const torch::Tensor& kept, const torch::Tensor& t, int64_t depth) {
  if (depth == 0) {
    kept.fill_(0);
  } else {
    descend(t, kept, depth - 1);  // the other way round
  }
}
void descend(const torch::Tensor& kept, const torch::Tensor& t, int64_t depth) {
  step(kept, t, depth);
}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  auto mine = torch::zeros({4});
  descend(mine, obs, 3);  // expected-error {{this writes into 'obs' after 'obs' crossed}}
  actor.act(obs);
}
FDG_PROGRAM(train)
