// Rows, and what may cross beside them; what is the same everywhere; messages that are used one by one.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct Counts {
  std::map<int64_t, double> by_name;
  std::vector<double> returns;
};
struct Episode {
  double sum = 0;
  int64_t length = 0;
};
struct Env {
  explicit Env(fdg::Rows rows);
  Counts counts();
  std::optional<std::vector<double>> maybe();
  std::vector<Episode> episodes();
  Episode last();
  std::array<torch::Tensor, 2> both();
};
struct Learner {
  std::map<int64_t, double> limits();
  void take(const Counts& x, int64_t number);
  void take(const std::optional<std::vector<double>>& x);
  void take(const std::vector<Episode>& x);
  void take(const std::array<torch::Tensor, 2>& x);
};
struct Watcher {
  void watch(const Episode& x);
  void watch(const std::map<int64_t, double>& x);
};

void train(fdg::Run& run, const Config& cfg) {
  Env env(run.rows(cfg.envs));
  Learner learner;
  Watcher watcher;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto counts = env.counts();
    int64_t number = static_cast<int64_t>(counts.by_name.size());
    fdg::partition(fdg::gather, number, counts);
    learner.take(counts, number);
    auto maybe = env.maybe();
    fdg::partition(fdg::gather, maybe);
    learner.take(maybe);
    auto episodes = env.episodes();
    fdg::partition(fdg::append, episodes);
    learner.take(episodes);
    auto both = env.both();
    fdg::partition(fdg::gather, both);
    learner.take(both);
    auto last = env.last();
    fdg::partition(fdg::append.loose(), last);
    watcher.watch(last);
    auto limits = learner.limits();
    fdg::partition(fdg::broadcast, limits);
    watcher.watch(limits);
  }
}
FDG_PROGRAM(train)
// expected-no-diagnostics
