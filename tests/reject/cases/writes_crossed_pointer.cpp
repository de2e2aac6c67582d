// Writing through a pointer or an accessor that was taken before the crossing.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  auto numbers = obs.accessor<float, 2>();
  float* first = obs.data_ptr<float>();
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
  first[0] = 1;    // expected-error {{this writes into 'obs' after 'obs' crossed}}
  numbers[0] = 2;  // expected-error {{this writes into 'obs' after 'obs' crossed}}
}
FDG_PROGRAM(train)
