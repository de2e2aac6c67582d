// Components that tell each other things through globals, in their methods.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

int64_t g_seen = 0;
struct Totals {
  static inline int64_t rows = 0;
  static Totals& one() {
    static Totals totals;
    return totals;
  }
  int64_t steps = 0;
};
int64_t next() {
  static int64_t number = 0;
  return ++number;
}
int64_t g_ids = 0;
int64_t fresh(int64_t id = g_ids++) { return id; }

struct FDG_ROLE("left") Left {
  int64_t count = 0;
  void see() { g_seen += ++count; }
  void add() { Totals::rows += 1; }
  void step() { Totals::one().steps += 1; }
  void draw() { count = next(); }
  void name() { count = fresh(); }
};
struct FDG_ROLE("right") Right {
  int64_t count = 0;
  void see() { count = g_seen; }
  void add() { count = Totals::rows; }
  void step() { count = Totals::one().steps; }
  void draw() { count = next(); }
  void name() { count = fresh(); }
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
  Left left;
  Right right;
  left.see();
  left.add();
  left.step();
  left.draw();
  left.name();
  right.see();
  right.add();
  right.step();
  right.draw();
  right.name();
  // expected-error@*:* {{'g_seen' outlives the training function and is used by the fragments 'left' and 'right'}}
  // expected-error@*:* {{'rows' outlives the training function and is used by the fragments 'left' and 'right'}}
  // expected-error@*:* {{'totals' outlives the training function and is used by the fragments 'left' and 'right'}}
  // expected-error@*:* {{'number' outlives the training function and is used by the fragments 'left' and 'right'}}
  // expected-error@*:* {{'g_ids' outlives the training function and is used by the fragments 'left' and 'right'}}
}
FDG_PROGRAM(train)
