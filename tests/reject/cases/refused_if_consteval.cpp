// A question that only a compiler answers otherwise.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
#pragma clang diagnostic ignored "-Wc++23-extensions"
  if consteval {  // expected-error {{`if consteval` asks whether a compiler runs this}}
    actor.act(obs);
  } else {
    actor.act(obs, 1);
  }
}
FDG_PROGRAM(train)
