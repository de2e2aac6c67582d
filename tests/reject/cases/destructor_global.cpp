// A destructor that changes a global counts where its object is declared.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

int left = 0;

struct Counts {
  ~Counts() { ++left; }
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  {
    std::vector<Counts> counts(2);
    envs.step(obs * left);
  }
  fdg::partition(fdg::gather, obs);
  actor.act(obs, left);  // expected-error {{'left' outlives the training function}}
}
FDG_PROGRAM(train)
