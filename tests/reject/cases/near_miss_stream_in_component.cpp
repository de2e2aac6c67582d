// A component that keeps a stream.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

class Noise {
 public:
  explicit Noise(fdg::Stream stream) : stream_(stream) {}
  double next() { return stream_.uniform(); }

 private:
  fdg::Stream stream_;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  Noise noise(run.stream("noise"));
  run.log("x", noise.next());
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
