// What a destructor writes or logs at the end of a block, or of a statement, belongs to no statement.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

struct OnExit {
  int64_t& place;
  int64_t value;
  ~OnExit() { place = value; }
};

struct Logs {
  fdg::Run& run;
  double value;
  ~Logs() { run.log("value", value); }
};

struct Counts {
  int64_t own = 0;
  ~Counts() { ++own; }
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  int64_t seen = 0;
  {
    OnExit exit{seen, cfg.limit};  // expected-error {{the destructor of `exit` writes to what it refers to at the end of its block}}
    actor.act(obs);
  }
  (void)OnExit{seen, cfg.limit};  // expected-error {{the destructor of this temporary `OnExit` writes to what it refers to at the end of its statement}}
  actor.act(obs, seen);
  {
    Logs logs{run, 2.0};  // expected-error {{the destructor of `logs` logs at the end of its block}}
    actor.act(obs);
  }
  (void)Counts{};
}
FDG_PROGRAM(train)
