// Random numbers that both sides need.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  const int coin = std::rand();  // expected-error {{two fragments need what `rand` returns, and it draws random numbers}}
  torch::Tensor obs = envs.reset() * coin;
  fdg::partition(fdg::gather, obs);
  actor.act(obs, coin);
}
FDG_PROGRAM(train)
