// Components that go on referring to variables of the function: by reference, pointer, handle of a tensor; given to
// a constructor, in braces, to a method, through std::make_unique and emplace. Who reads or writes such a variable
// stays with the component.
#include <memory>
#include <optional>
#include <vector>

#include "parts.h"

struct Config {
  int64_t steps = 9;
};

class FDG_ROLE("counter") Counter {
 public:
  explicit Counter(int64_t& count) : count_(count) {}
  void add(int64_t x) { count_ += x; }
  template <class A>
  void archive(A&) {}

 private:
  int64_t& count_;
};

class FDG_ROLE("counter") Pointer {
 public:
  void watch(int64_t& count) { count_ = &count; }
  void add(int64_t x) { *count_ += x; }

 private:
  int64_t* count_ = nullptr;
};

class FDG_ROLE("filler") Filler {
 public:
  explicit Filler(torch::Tensor values) : values_(std::move(values)) {}
  void fill(int64_t x) { values_.fill_(x); }

 private:
  torch::Tensor values_;
};

struct Held {
  torch::Tensor& values;
  int64_t times = 0;
  void fill(int64_t x) { values.fill_(x + times++); }
};

class FDG_ROLE("watcher") Watcher {
 public:
  Watcher(const int64_t& count, const torch::Tensor& values) : count_(count), values_(values) {}
  int64_t seen() { return ++asked_ + count_ + values_.sum().item<int64_t>(); }

 private:
  const int64_t& count_;
  torch::Tensor values_;
  int64_t asked_ = 0;
};

Counter counterOf(int64_t& count) { return Counter(count); }

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  int64_t a = 1;
  int64_t b = 2;
  int64_t c = 3;
  int64_t d = 4;
  int64_t watched = 5;
  torch::Tensor v = torch::ones({3}, torch::kInt64);
  torch::Tensor w = torch::ones({3}, torch::kInt64);
  torch::Tensor seen = torch::ones({3}, torch::kInt64);
  Counter counter(a);
  int64_t e = 6;
  Counter by_function = counterOf(e);
  auto owned = std::make_unique<Counter>(b);
  std::optional<Counter> late;
  Pointer pointer;
  pointer.watch(d);
  Filler filler(v);
  Held held{w};
  Watcher watcher(watched, seen);
  late.emplace(c);
  for (int64_t i = 0; i < cfg.steps; ++i) {
    int64_t x = source.next() % 5;
    fdg::partition(fdg::broadcast, x);
    counter.add(x);
    owned->add(x + 1);
    late->add(x + 2);
    pointer.add(x + 3);
    filler.fill(x);
    held.fill(x);
    by_function.add(x + 4);
    sink.take(a + 3 * b + 5 * c + 7 * d + 11 * e);
    sink.take((v + w).sum().item<int64_t>());
    watched += x;
    seen.add_(x);
    const int64_t now = watcher.seen();
    run.log("seen", now);
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
