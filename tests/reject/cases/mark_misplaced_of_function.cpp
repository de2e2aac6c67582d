// Marks of functions and parameters elsewhere.
struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

class FDG_PURE Part {  // expected-error {{FDG_PURE marks nothing here; it stands in front of a function's declaration}}
  FDG_FRESH int64_t count_ = 0;  // expected-error {{FDG_FRESH marks nothing here}}

 public:
  FDG_LATEST int64_t next();  // expected-error {{FDG_LATEST marks nothing here; it stands in front of a parameter}}
  void put(FDG_PURE double x);  // expected-error {{FDG_PURE marks nothing here}}
};
struct FDG_LATEST Latest {};  // expected-error {{FDG_LATEST marks nothing here}}
FDG_PURE;  // expected-error {{FDG_PURE marks nothing here}}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  FDG_PURE auto twice = [](double x) { return 2 * x; };  // expected-error {{FDG_PURE marks nothing here}}
  run.log("x", twice(envs.finishedReturns()));
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
