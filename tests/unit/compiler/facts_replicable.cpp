// Conditions on which replicas could disagree make their fragment irreplicable where a boundary or another
// fragment follows them; a reduction settles it. Approximate components count wherever they hide.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

class FDG_ROLE("first") First {
 public:
  explicit First(fdg::Rows rows);
  torch::Tensor make();
  int64_t count() const;
};
class FDG_ROLE("second") Second : public First {
 public:
  using First::First;
};
class FDG_ROLE("third") Third : public First {
 public:
  using First::First;
};
class FDG_ROLE("sink") Sink {
 public:
  void take(const torch::Tensor& t);
};
class FDG_ROLE("memory") Memory {
 public:
  explicit Memory(rl::Replay replay);
  void take(const torch::Tensor& t);

 private:
  rl::Replay replay_;
};
class FDG_ROLE("ledger") FDG_SINGLE("takes entries one by one") Ledger {
 public:
  void take(const torch::Tensor& t);
};
class Kept : public rl::Replay {
 public:
  using rl::Replay::Replay;
};

void train(fdg::Run& run, const Config& cfg) {
  First first(run.rows(cfg.envs));
  Second second(run.rows(cfg.envs));
  Third third(run.rows(cfg.envs));
  Sink sink;
  Memory memory(rl::Replay({}, run.stream("memory")));
  std::map<std::string, Kept> shelf;
  Ledger ledger;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto a = first.make();
    int64_t count = first.count();
    fdg::partition(fdg::gather, a);
    fdg::partition(fdg::reduce_max, count);
    if (count > 3) {  // settled
      auto b = first.make();
      fdg::partition(fdg::gather, b);
      sink.take(b);
    }
    sink.take(a);
    if (first.count() > 2) {  // only its own business
      run.log("a", first.count());
    }
    auto c = second.make();
    if (second.count() > 5) {
      fdg::partition(fdg::gather, c);
      sink.take(c);
    }
    auto d = third.make();
    fdg::partition(fdg::gather, d);
    memory.take(d);
    ledger.take(d);
    shelf.at("x").update({d, d});
    int64_t rounds = 0;
    for (int64_t i = 0; i < 9; ++i) {
      if (third.count() > i) {
        break;
      }
      rounds = i;
    }
    if (rounds > 1) {
      auto e = third.make();
      fdg::partition(fdg::gather, e);
      memory.take(e);
    }
  }
}
FDG_PROGRAM(train)

// CHECK: fragment first: components first
// CHECK-NEXT: replicable: yes
// CHECK-NEXT: fusable: yes
// CHECK: fragment second: components second
// CHECK-NEXT: replicable: no, replicas could disagree on `second.count() > 5` at line 67, and other fragments follow it; reduce what it reads first (reduce_any, reduce_all, reduce_max)
// CHECK-NEXT: fusable: yes
// CHECK: fragment third: components third
// CHECK-NEXT: replicable: no, replicas could disagree on `third.count() > i` at line 78, and other fragments follow it; reduce what it reads first (reduce_any, reduce_all, reduce_max)
// CHECK-NEXT: fusable: yes
// CHECK: fragment sink: components sink
// CHECK-NEXT: replicable: yes
// CHECK-NEXT: fusable: yes
// CHECK: fragment memory: components memory
// CHECK-NEXT: replicable: yes
// CHECK-NEXT: approximate: `memory` holds `replay_`, which samples from its own share
// CHECK-NEXT: fusable: yes
// CHECK: fragment buffer: components shelf
// CHECK-NEXT: replicable: yes
// CHECK-NEXT: approximate: `shelf` samples from its own share
// CHECK-NEXT: fusable: yes
// CHECK: fragment ledger: components ledger
// CHECK-NEXT: replicable: no, `ledger` takes entries one by one
// CHECK-NEXT: fusable: yes
// CHECK: loop 7: line 52; up to cfg.steps; crossed
// CHECK: loop 31: line 77; in loop 7; up to 9; crossed
