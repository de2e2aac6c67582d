// Nothing in it has rows: maps, sets, numbers, texts, and what is made of them.
#include <set>

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct Counts {
  std::map<int64_t, double> by_row;
  int64_t total = 0;
};
struct Env {
  explicit Env(fdg::Rows rows);
  std::map<int64_t, double> returns();
  std::set<int64_t> done();
  std::optional<double> best();
  std::pair<std::string, double> named();
  Counts counts();
  double mean();
};
struct Learner {
  void take(const std::map<int64_t, double>& x);
  void take(const std::set<int64_t>& x);
  void take(const std::optional<double>& x);
  void take(const std::pair<std::string, double>& x);
  void take(const Counts& x);
  void take(double x);
};

void train(fdg::Run& run, const Config& cfg) {
  Env env(run.rows(cfg.envs));
  Learner learner;
  auto returns = env.returns();
  fdg::partition(fdg::gather, returns);  // expected-error {{'returns' cannot cross by gather: a `std::map<int64_t, double>` has no rows to join or to share out}}
  learner.take(returns);
  auto done = env.done();
  fdg::partition(fdg::scatter, done);  // expected-error {{'done' cannot cross by scatter}}
  learner.take(done);
  auto best = env.best();
  fdg::partition(fdg::gather.loose(), best);  // expected-error {{'best' cannot cross by gather}}
  learner.take(best);
  auto named = env.named();
  double mean = env.mean();
  fdg::partition(fdg::gather, named, mean);  // expected-error {{'named' cannot cross by gather}}
  learner.take(named);
  learner.take(mean);
  auto counts = env.counts();
  fdg::partition(fdg::append, counts);  // expected-error {{'counts' cannot cross by append: a `Counts` has no rows}}
  learner.take(counts);
}
FDG_PROGRAM(train)
