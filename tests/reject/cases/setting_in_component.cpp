// What a component sets for its process, other fragments have or have not, depending on where they are placed.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

namespace torch {
void set_flush_denormal(bool flush);
}  // namespace torch

class FDG_ROLE("counter") Counter {
 public:
  Counter() { torch::set_flush_denormal(true); }  // expected-error {{`set_flush_denormal` sets something for a whole process}}
  void add(const torch::Tensor&) { ++count_; }

 private:
  int64_t count_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  Counter counter;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    torch::Tensor obs = envs.reset();
    fdg::partition(fdg::gather, obs);
    counter.add(obs);
  }
}
FDG_PROGRAM(train)
