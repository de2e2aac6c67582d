// A learner without gradients keeps what its replica's rows taught it, and nothing makes replicas agree: fdgc says so.
// Not of one that reduces or is told what is the same on all, that keeps it by rows, only reads, or is one only.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

class FDG_ROLE("learner") Table {
 public:
  double learn(const rl::Outcome& rows);
};
class FDG_ROLE("critic") Summed {
 public:
  double count(const rl::Outcome& rows);
  void learn(double sum);
};
class FDG_ROLE("reader") Reader {
 public:
  double look(const rl::Outcome& rows) const;
};
class FDG_ROLE("tracker") Tracker {
 public:
  explicit Tracker(fdg::Rows rows);
  void track(const rl::Outcome& rows);
};
class FDG_ROLE("single") FDG_SINGLE("keeps the order") Single {
 public:
  void keep(const rl::Outcome& rows);
};
class FDG_ROLE("starter") Starter {
 public:
  void start(const torch::Tensor& rows);
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  Table table;
  Summed summed;
  Reader reader;
  Tracker tracker(run.rows(cfg.envs));
  Single single;
  Starter starter;
  torch::Tensor first = envs.reset();
  fdg::partition(fdg::gather, first);
  starter.start(first);
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto outcome = envs.step({});
    fdg::partition(fdg::gather, outcome);
    run.log("td", table.learn(outcome));
    double sum = summed.count(outcome);
    fdg::partition(fdg::reduce_sum, sum);
    summed.learn(sum);
    run.log("seen", reader.look(outcome));
    tracker.track(outcome);
    single.keep(outcome);
  }
}
FDG_PROGRAM(train)

// CHECK-NOT: changes by
// CHECK: 50:19: remark: 'table' changes by 'outcome', in a replica by the rows of that replica alone, and 'learner' takes part in no broadcast, all_gather or reduction
// CHECK-NOT: changes by
// CHECK: fragment learner: components table;
