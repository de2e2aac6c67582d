// The end of the process.
#include <cstdlib>

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void stop() { std::exit(0); }  // expected-error {{this ends the process of one fragment while the others go on}}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  if (actor.act(obs).item<double>() > 1) {
    exit(3);  // expected-error {{this ends the process of one fragment while the others go on}}
  }
  stop();
}
FDG_PROGRAM(train)
