// What a destructor writes at the end of a block belongs to no statement.

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

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  int64_t seen = 0;
  {
    OnExit exit{seen, cfg.limit};  // expected-error {{the destructor of 'exit' writes to what 'exit' refers to}}
    actor.act(obs);
  }
  actor.act(obs, seen);
}
FDG_PROGRAM(train)
