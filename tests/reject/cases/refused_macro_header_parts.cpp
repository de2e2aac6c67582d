// A macro that makes two of the three parts of a loop's head; one that makes one part is fine.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define UP_TO(i, n) i < n; ++i
#define LESS(i, n) i < n

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  for (int64_t i = 0; LESS(i, cfg.limit); ++i) {
    actor.act(obs);
  }
  for (int64_t i = 0; UP_TO(i, cfg.limit)) {  // expected-error {{the macro `UP_TO` makes a part of this loop or condition}}
    actor.act(obs);
  }
}
FDG_PROGRAM(train)
