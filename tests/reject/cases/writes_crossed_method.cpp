// Methods of components that write what they were given.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct FDG_ROLE("encoder") Encoder {
  torch::Tensor kept_;
  int64_t calls = 0;
  void centre(const torch::Tensor& x) {
    ++calls;
    x.add_(x);
  }
  void scale(torch::Tensor x) {
    ++calls;
    x += x;
  }
  void keep(const torch::Tensor& x) { kept_ = x; }
  void forget() { kept_.fill_(0); }
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  Encoder encoder;
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
  encoder.centre(obs);  // expected-error {{this writes into 'obs' after 'obs' crossed}}
  encoder.scale(obs);   // expected-error {{this writes into 'obs' after 'obs' crossed}}
  encoder.keep(obs);    // expected-error {{this writes into 'obs' after 'obs' crossed}}
  encoder.forget();     // expected-error {{this writes into 'obs' after 'obs' crossed}}
}
FDG_PROGRAM(train)
