// A program without annotations.

struct Config {
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();  // expected-remark {{`fdg::partition(fdg::gather, obs);` belongs behind this statement}}
  actor.act(obs);
}
FDG_PROGRAM(train)
