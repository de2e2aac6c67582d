// What is set for a process that others may be in the middle of.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

namespace torch {
void set_num_threads(int threads);
}  // namespace torch

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  torch::set_num_threads(2);  // expected-error {{this sets something for a whole process, and other fragments may be in the same or in other processes and at other places of the program; put it in front of the first loop and annotation}}
  actor.act(obs);
}
FDG_PROGRAM(train)
