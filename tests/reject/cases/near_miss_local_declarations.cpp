// Types, aliases, constants and assertions inside the function.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  struct Local {
    int64_t a = 1;
  };
  using List = std::vector<Local>;
  enum class Mode { one, two };
  constexpr Mode kMode = Mode::one;
  static_assert(kMode == Mode::one);
  List list(3);
  run.log("x", list[0].a + envs.finishedReturns());
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
