// Every kind of value may cross.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  struct Mixed {
    std::vector<std::pair<int, std::string>> list;
    std::map<std::string, torch::Tensor> named;
    std::optional<double> maybe;
    std::array<int64_t, 3> three;
    std::tuple<bool, float> both;
    rl::Outcome outcome;
    torch::Tensor first() const { return outcome.observation; }
  };
  Mixed mixed;
  mixed.outcome = envs.step({});
  fdg::partition(fdg::gather, mixed);
  actor.act(mixed.first());
}
FDG_PROGRAM(train)
// expected-no-diagnostics
