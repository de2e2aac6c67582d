// Writing the memory that a tensor was made over.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  std::vector<double> memory(4, 1.0);
  std::vector<double> plain(4, 1.0);
  for (int64_t i = 0; i < cfg.steps; ++i) {
    memory[0] = envs.finishedReturns();  // expected-error {{this writes into the storage of 'x' through 'memory' after 'x' crossed}}
    plain[0] = envs.finishedReturns();
    auto x = torch::from_blob(memory.data(), {4});
    fdg::partition(fdg::broadcast, x, plain);
    plain[1] = 3;
    memory = {1, 2, 3, 4};  // expected-error {{this writes into the storage of 'x' through 'memory' after 'x' crossed}}
    actor.act(x * plain[0]);
    envs.step(torch::zeros({1}) * plain[1]);
  }
}
FDG_PROGRAM(train)
