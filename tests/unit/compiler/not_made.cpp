// What a checkpoint could not make again, where a loop may first make it.
#include <memory>
#include <optional>

struct Config {
  int64_t steps = 10;
};

class FDG_ROLE("maker") Maker {
 public:
  explicit Maker(int64_t first) : count_(first) {}
  torch::Tensor make();
  template <class A>
  void archive(A& a) {
    a(count_);
  }

 private:
  int64_t count_ = 0;
};
class FDG_ROLE("taker") Taker {
 public:
  void take(const torch::Tensor& t);
  template <class A>
  void archive(A& a) {
    a(count_);
  }

 private:
  int64_t count_ = 0;
};
namespace fdg {
class Archive;
}
class FDG_ROLE("any") Any {
 public:
  virtual ~Any() = default;
  virtual void take(const torch::Tensor& t);
  virtual void archive(fdg::Archive& a);
};
class FDG_ROLE("some") Some {
 public:
  virtual ~Some() = default;
  virtual void take(const torch::Tensor& t);
  template <class A>
  void archive(A& a) {
    a(count_);
  }

 private:
  int64_t count_ = 0;
};
class FDG_ROLE("more") More : public Taker {
 public:
  int64_t more() { return ++more_; }

 private:
  int64_t more_ = 0;
};

void train(fdg::Run&, const Config& cfg) {
  // Made in front of the loop: there, whatever it is made of.
  std::unique_ptr<Maker> maker;
  if (cfg.steps > 3) {
    maker = std::make_unique<Maker>(1);
  } else {
    maker = std::make_unique<Maker>(2);
  }
  auto taker = std::make_unique<Taker>();
  for (int64_t i = 0; i < cfg.steps; ++i) {
    auto made = maker->make();
    fdg::partition(fdg::broadcast, made);
    taker->take(made);
  }
  std::optional<Maker> second = std::nullopt;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    if (i == 0) {
      second.emplace(i);
    }
    auto made = second->make();
    fdg::partition(fdg::broadcast, made);
    taker->take(made);
  }
  std::unique_ptr<Any> third;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    auto made = maker->make();
    fdg::partition(fdg::broadcast, made);
    third = std::make_unique<Any>();
    third->take(made);
  }
  // Not what an `archive` of a base would leave out.
  auto fourth = std::make_unique<Some>();
  for (int64_t i = 0; i < cfg.steps; ++i) {
    auto made = maker->make();
    fdg::partition(fdg::broadcast, made);
    fourth->take(made);
  }
  More fifth;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    auto made = maker->make();
    fdg::partition(fdg::broadcast, made);
    fifth.take(made);
    fifth.more();
  }
}
FDG_PROGRAM(train)

// CHECK: loop {{[0-9]+}}: line {{.*}} crossed
// CHECK-NEXT: maker carries maker, i
// CHECK-NEXT: taker carries taker, i
// CHECK-NEXT: loop {{[0-9]+}}: line
// CHECK: no checkpoints: `second` {{.*}}, and it may be empty before the loop, and a checkpoint cannot make a `Maker`, which needs arguments
// CHECK: loop {{[0-9]+}}: line
// CHECK: no checkpoints: `third` {{.*}}, and it may be empty before the loop, and `Any` has virtual functions: a checkpoint cannot tell of which class to make one
// CHECK: loop {{[0-9]+}}: line
// CHECK: no checkpoints: `fourth` {{.*}}, and of a `Some` that may be of a class derived from it, only a virtual `archive(fdg::Archive&)` would name all fields
// CHECK: loop {{[0-9]+}}: line
// CHECK: no checkpoints: `fifth` {{.*}}, and its class `More` has fields that the `archive` of its base `Taker` does not name; give it an `archive` of its own
