// What cannot cross may live inside one fragment.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  std::string name = "x";
  std::string_view view = name;
  const char* text = name.c_str();
  int64_t numbers[3] = {1, 2, 3};
  run.log(view, envs.finishedReturns() + numbers[0] + (text != nullptr ? 1 : 0));
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
