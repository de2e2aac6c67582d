// A call of unknown purity whose result both sides need.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

double readRate(const char* file);

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  const double rate = readRate("rate.txt");  // expected-error {{two fragments need what `readRate` returns, and it is not known whether it may be called twice}}
  torch::Tensor obs = envs.reset() * rate;
  fdg::partition(fdg::gather, obs);
  actor.act(obs * rate);
  actor.act({}, static_cast<int64_t>(rate));
}
FDG_PROGRAM(train)
