// A class with a constructor is no plain struct.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

class Box {
 public:
  explicit Box(torch::Tensor value) : value_(value) {}
  torch::Tensor value() const { return value_; }

 private:
  torch::Tensor value_;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  Box x(envs.reset());
  fdg::partition(fdg::gather, x);  // expected-error {{is not a plain struct of values}}
  actor.act(x.value());
}
FDG_PROGRAM(train)
