// What each fragment carries from one iteration to the next, and what a checkpoint cannot keep.
#include <memory>
#include <optional>

struct Config {
  int64_t steps = 10;
};

class FDG_ROLE("maker") Maker {
 public:
  torch::Tensor make();
  template <class A>
  void archive(A& a) {
    a(count_);
  }

 private:
  int64_t count_ = 0;
};
class Base {
 public:
  template <class A>
  void archive(A& a) {
    a(count_);
  }

 private:
  int64_t count_ = 0;
};
class FDG_ROLE("taker") Taker : public Base {
 public:
  void take(const torch::Tensor& t);
  int64_t seen() const;
};
class FDG_ROLE("closed") Closed {
 public:
  void take(const torch::Tensor& t);
  int64_t seen() const;

 private:
  int64_t count_ = 0;
};
struct Pair {
  Maker maker;
  int64_t count = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  Maker maker;
  Taker taker;
  Pair pair;
  std::optional<torch::Tensor> last;
  const int64_t limit = cfg.steps * 2;
  int64_t unused = 3;
  int64_t sum = unused;
  auto& alias = sum;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    auto made = maker.make();
    fdg::partition(fdg::broadcast, made);
    taker.take(made);
    last = made;
    alias += limit;
    run.log("sum", sum + taker.seen());
    int64_t inner = 0;
    while (inner < 3) {
      ++inner;
      pair.count += 1;
      taker.take(pair.maker.make());
    }
  }
  // A loop of its own: what is from outside its body, its header's variable included.
  Closed closed;
  while (int64_t left = limit - sum) {
    auto again = maker.make();
    fdg::partition(fdg::broadcast, again);
    closed.take(again);
    sum += left;
  }
  // Not changed, it need not be kept.
  const Closed still;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    const auto third = maker.make();
    fdg::partition(fdg::broadcast, third);
    taker.take(third);
    run.log("still", still.seen());
  }
}
FDG_PROGRAM(train)

// CHECK: loop {{[0-9]+}}: line 57; up to cfg.steps; crossed
// CHECK-NEXT: maker carries maker, sum, i
// CHECK-NEXT: taker carries taker, pair, sum, i
// CHECK-NEXT: closed carries sum, i
// CHECK-NEXT: loop {{[0-9]+}}: line 65
// CHECK-NEXT: loop {{[0-9]+}}: line 73; crossed
// CHECK-NEXT: maker carries maker, sum, left
// CHECK-NEXT: closed carries sum, left
// CHECK-NEXT: no checkpoints: `closed` (line 72) changes in the loop at line 73, and its class `Closed` has no `archive`
// CHECK-NEXT: loop {{[0-9]+}}: line 81; up to cfg.steps; crossed
// CHECK-NEXT: maker carries maker, i
// CHECK-NEXT: taker carries taker, i
// CHECK-NEXT: closed2 carries i
