// std::bind keeps what it is given and does nothing until it is called.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

double scaled(double x, double by) { return x * by; }

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  auto act = std::bind(&rl::Actor::act, &actor, std::placeholders::_1, 0);
  auto twice = std::bind_front(scaled, 2.0);
  auto action = act(obs.clone());
  fdg::partition(fdg::scatter, action);
  run.log("return", twice(envs.step(action).reward.item<double>()));
}
FDG_PROGRAM(train)
// expected-no-diagnostics
