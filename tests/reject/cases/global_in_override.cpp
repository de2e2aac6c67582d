// A global behind a virtual method.
#include <memory>

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

int64_t g_seen = 0;

struct Base {
  virtual ~Base() = default;
  virtual void see() = 0;
};
struct Derived : Base {
  void see() override { ++g_seen; }
};
struct FDG_ROLE("right") Right {
  int64_t count = 0;
  void see() { count = g_seen; }  // expected-error {{'g_seen' outlives the training function}}
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
  std::unique_ptr<Base> left = std::make_unique<Derived>();
  Right right;
  left->see();
  right.see();
}
FDG_PROGRAM(train)
