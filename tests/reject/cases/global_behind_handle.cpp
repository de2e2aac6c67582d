// Globals that are only read, but not as plain values.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct Counter {
  mutable int64_t count = 0;
  int64_t next() const { return count++; }
};
Counter g_counter;
torch::Tensor g_weights;
extern int64_t g_elsewhere;

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  static int64_t first = actor.act(obs).item<int64_t>();
  actor.act(g_weights * 2);
  actor.act(torch::zeros({g_counter.next()}));
  actor.act(torch::zeros({g_elsewhere, first}));
  envs.step(g_weights * 3);                      // expected-error {{'g_weights' outlives the training function}}
  envs.step(torch::zeros({g_counter.next()}));   // expected-error {{'g_counter' outlives the training function}}
  envs.step(torch::zeros({g_elsewhere, first})); // expected-error {{'g_elsewhere' outlives the training function}} expected-error {{'first' outlives the training function}}
}
FDG_PROGRAM(train)
