// A component behind a pointer that moves away.
#include <memory>

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  auto actor = std::make_unique<rl::Actor>(rl::Spec{}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  auto other = std::move(actor);  // expected-error {{the component 'actor' is moved, and a component has one owner}}
  other->act(obs);
}
FDG_PROGRAM(train)
