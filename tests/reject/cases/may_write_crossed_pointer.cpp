// A function of which nobody knows which one it is.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

torch::Tensor twice(const torch::Tensor& t) { return t * 2; }

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  torch::Tensor (*by_pointer)(const torch::Tensor&) = twice;
  actor.act(by_pointer(obs));  // expected-error {{`by_pointer` may write into 'obs', which has crossed: nothing is known about what it calls, since it is a pointer or a function object}}
  std::function<torch::Tensor(const torch::Tensor&)> any = twice;
  actor.act(any(obs));  // expected-error {{`any` may write into 'obs', which has crossed: nothing is known about what it calls}}
}
FDG_PROGRAM(train)
