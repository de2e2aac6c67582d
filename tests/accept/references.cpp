// Writes and reads through something that refers to variables: references with two possible places, pointers,
// iterators, spans, structs with reference members, lambdas that capture pointers, std::function, tensor
// accessors. What stands behind them counts as written or read, so no fragment drops a statement.
#include <functional>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "parts.h"

struct Config {
  int64_t steps = 15;
};

struct Slot {
  int64_t& value;
  void set(int64_t to) const { value = to; }
};

struct Counted {
  static inline int64_t zero = 0;
  int64_t count = 0;
};

int64_t& pick(bool first, int64_t& a, int64_t& b) { return first ? a : b; }
void store(int64_t* where, int64_t value) { *where = value; }
void fillSpan(std::span<int64_t> all, int64_t value) {
  for (int64_t& each : all) {
    each = value;
  }
}

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  int64_t* watched = nullptr;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    int64_t seed = source.next();
    torch::Tensor row = torch::arange(4) + seed;
    fdg::partition(fdg::broadcast, seed, row);
    const bool even = i % 2 == 0;
    int64_t a = 1;
    int64_t b = 2;
    int64_t& either = even ? a : b;
    either = seed;
    sink.take(a * 3 + b);
    int64_t Counted::* const field = &Counted::count;
    Counted tally;
    tally.*field = seed;
    Counted* const tallied = &tally;
    tallied->*field += 2;
    sink.take(tally.count);
    int64_t& picked = pick(!even, a, b);
    picked += 4;
    pick(even, a, b) += 5;
    sink.take(a * 5 + b);
    int64_t* pointer = &a;
    *pointer = a + 7;
    sink.take(a);
    int64_t** twice = &pointer;
    *twice = &b;
    *pointer = 11;
    sink.take(a - b);
    auto through = [pointer](int64_t by) { *pointer += by; };
    through(seed);
    sink.take(b);
    auto copied = through;
    copied(3);
    sink.take(b);
    std::function<void(int64_t)> held = [&a](int64_t by) { a -= by; };
    held(2);
    sink.take(a);
    const Slot slot{a};
    slot.value = seed + 1;
    slot.set(slot.value * 2);
    sink.take(a);
    auto [left, right] = std::tie(a, b);
    left = right + 1;
    sink.take(a);
    std::vector<int64_t> many = {1, 2, 3};
    auto it = many.begin();
    *it = seed;
    std::span<int64_t> view(many);
    view[1] = a;
    fillSpan(view.subspan(2), b);
    for (int64_t& each : even ? many : many) {
      each += 1;
    }
    sink.take(many[0] + many[1] * 2 + many[2] * 3);
    std::map<int64_t, int64_t> table = {{1, 2}};
    if (auto found = table.find(1); found != table.end()) {
      found->second = seed;
    }
    sink.take(table[1]);
    for (int64_t* each : {&a, &b}) {
      *each += 6;
    }
    store(&a, a + 1);
    [](int64_t& to, int64_t by) { to += by; }(b, seed);
    auto generic = [&](auto by) { a += by; };
    generic(2);
    sink.take(a * 7 + b);
    torch::Tensor mine = row.clone();
    auto elements = mine.accessor<int64_t, 1>();
    elements[2] = a;
    mine.data_ptr<int64_t>()[3] = 5;
    sink.take(mine.sum().item<int64_t>());
    Counted counted;
    Counted* behind = &counted;
    behind->count = seed;
    (even ? *behind : counted).count += 1;
    sink.take(counted.count);
    watched = &seed;
    sink.take(*watched);
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
