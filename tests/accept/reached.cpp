// What a statement reaches without naming it: what a function gets that is called through a
// pointer, what copies of a shared_ptr share, the method that a member pointer names.
#include <functional>
#include <memory>

#include "parts.h"

struct Config {
  int64_t steps = 12;
};

struct Box {
  std::shared_ptr<int64_t> inside;
};
struct Steps {
  void (*by_reference)(int64_t&, int64_t);
  void (*by_pointer)(int64_t*, int64_t);
};

void raise(int64_t& value, int64_t by) { value += by; }
void set(int64_t* place, int64_t value) { *place = value; }
void doubleAll(torch::Tensor tensor) { tensor.mul_(2); }
void up(std::shared_ptr<int64_t> value) { *value += 3; }

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  auto lent = std::make_shared<int64_t>(3);
  const Steps steps{&raise, &set};
  auto twice = doubleAll;
  auto next = &parts::Source::next;
  int64_t (parts::Sink::*take)(int64_t) = &parts::Sink::take;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    int64_t seed = (source.*next)() + *lent;
    fdg::partition(fdg::broadcast, seed);
    auto same = lent;
    *same = i * 5;
    auto raised = raise;
    int64_t x = 1;
    raised(x, 5);
    (i % 2 == 0 ? raise : *raised)(x, seed);
    (sink.*take)(x);
    steps.by_reference(x, 2);
    int64_t y = 0;
    steps.by_pointer(&y, seed);
    std::invoke(set, &y, y + x);
    sink.take(y);
    torch::Tensor ones = torch::ones({2}, torch::kInt64);
    twice(ones);
    sink.take(ones.sum().item<int64_t>());
    auto mine = std::make_shared<int64_t>(seed);
    const Box box{mine};
    *box.inside += 2;
    std::weak_ptr<int64_t> weak = mine;
    if (auto held = weak.lock()) {
      *held += 4;
    }
    auto through = [mine](int64_t by) { *mine += by; };
    through(i);
    up(mine);
    sink.take(*mine);
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
