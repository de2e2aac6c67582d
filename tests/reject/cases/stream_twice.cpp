// Two users of one stream.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  rl::Actor other({}, run.rows(4), run.stream("actor"));  // expected-error {{the stream "actor" is taken twice}}
  other.act(envs.reset());
  actor.act({});
}
FDG_PROGRAM(train)
