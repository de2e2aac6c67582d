// Every place where a mark may stand.
// expected-no-diagnostics

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#define OF_ROLE(x) FDG_ROLE(#x)
template <class T>
class FDG_ROLE("part") FDG_APPROXIMATE("counts alone") Part {
 public:
  FDG_PURE static double half(double x);
  template <class U>
  FDG_PURE FDG_FRESH U same(const U& x) const { return x; }
  T next(FDG_LATEST const T& x);
  FDG_PURE Part() = default;
  struct OF_ROLE(inner) FDG_SINGLE("one") Inner {
    int64_t step(FDG_LATEST int64_t x);
  };
};
class FDG_ROLE("later") Later;
class Later {
 public:
  int64_t next();
};
template <>
class FDG_ROLE("special") Part<int> {};
FDG_PURE double outside(double x);

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  struct FDG_ROLE("local") Local {
    int64_t next() { return ++count; }
    int64_t count = 0;
  };
  Local local;
  run.log("x", outside(static_cast<double>(local.next())));
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
