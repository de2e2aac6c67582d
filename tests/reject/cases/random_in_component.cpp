// Hidden random state of a component.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

class Noise {
 public:
  double next() { return std::rand() + coin_(engine_); }  // expected-warning {{this draws from hidden state}}

 private:
  std::mt19937 engine_{3};  // expected-warning {{this draws from hidden state}}
  std::bernoulli_distribution coin_{0.5};  // expected-warning {{this draws from hidden state}}
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  Noise noise;
  run.log("x", noise.next());
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
