// What functions of the standard library and of this file write: arguments by reference but not those only
// passed on, ranges, proxies, what a lambda handed to them writes, what a const method writes through a pointer.
#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <numeric>
#include <ranges>
#include <tuple>
#include <vector>

#include "parts.h"

struct Config {
  int64_t steps = 15;
};

class Writer {
 public:
  explicit Writer(int64_t& where) : where_(&where) {}
  void put(int64_t value) const { *where_ = value; }
  const Writer& twice() const {
    *where_ *= 2;
    return *this;
  }

 private:
  int64_t* where_;
};

constexpr void bump(int64_t& value) { value += 1; }

template <class F>
void callWith(F&& f, int64_t value) {
  f(value);
}

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  parts::Sink sink;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    int64_t seed = source.next();
    fdg::partition(fdg::broadcast, seed);
    int64_t a = 1;
    int64_t b = 2;
    const Writer writer(a);
    writer.put(40);
    writer.twice().twice();
    sink.take(a);
    bump(b);
    std::swap(a, b);
    a = std::exchange(b, 9);
    sink.take(a * 3 + b);
    auto both = std::make_pair(a, b);
    auto tied = std::tie(a, b);
    tied = std::make_tuple(both.second, both.first + 1);
    sink.take(a * 5 + b);
    std::vector<bool> bits = {false, false, true};
    auto bit = bits[0];
    bit = true;
    bits[1] = a > 3;
    sink.take(bits[0] * 4 + bits[1] * 2 + bits[2]);
    std::vector<int64_t> many = {3, 1, 2};
    std::ranges::sort(many);
    sink.take(many[0]);
    std::vector<int64_t> other = {7, 8};
    many.swap(other);
    sink.take(many[0] * 10 + other[0]);
    std::iota(many.begin(), many.end(), 4);
    std::ranges::fill(other, 6);
    for (int64_t& each : many | std::views::filter([](int64_t x) { return x > 4; })) {
      each += 10;
    }
    many.emplace_back(1) = 12;
    auto& last = many.emplace_back();
    last = 13;
    sink.take(std::accumulate(many.begin(), many.end(), other[1]));
    int64_t total = 0;
    std::for_each(many.begin(), many.end(), [&](auto x) { total += x; });
    std::ranges::for_each(other, [&total](int64_t& x) { x += total; });
    sink.take(total + other[0]);
    callWith([&](int64_t x) { total = x + 1; }, 5);
    sink.take(total);
    std::invoke([](int64_t& x) { x = 77; }, total);
    sink.take(total);
    std::apply([](int64_t& x, int64_t& y) { x = y + 1; }, std::tie(a, b));
    sink.take(a);
    std::memcpy(&a, &total, sizeof(a));
    sink.take(a);
    std::reference_wrapper<int64_t> wrapped = b;
    wrapped.get() = 15;
    std::function<void()> reset;
    reset = [&] { a = -1; };
    reset();
    sink.take(a + b);
    std::optional<int64_t> maybe;
    maybe.emplace(3);
    *maybe += 1;
    sink.take(maybe.value_or(0));
    int64_t grid[2][2] = {{1, 2}, {3, 4}};
    grid[1][0] = 30;
    int64_t* cursor = &grid[0][0];
    *cursor++ = 10;
    *(cursor + 2) = 40;
    sink.take(grid[0][0] + grid[0][1] + grid[1][0] + grid[1][1]);
    std::vector<int64_t> turned(3);
    std::copy(many.begin(), many.begin() + 3, turned.rbegin());
    std::inclusive_scan(turned.crbegin(), turned.crend(), turned.rbegin());
    std::deque<int64_t> queue(3);
    std::fill(queue.begin(), queue.end(), turned[0]);
    std::list<int64_t> chain = {1, 2};
    std::iota(chain.rbegin(), chain.rend(), queue[1]);
    std::fill(bits.begin() + 1, bits.end(), chain.front() % 2 == 0);
    std::map<int64_t, int64_t> table = {{1, 2}, {3, 4}};
    table.rbegin()->second += chain.back();
    std::for_each(table.begin(), table.end(), [&](auto& entry) { entry.second += bits[1] ? 1 : 2; });
    sink.take(turned[2] + queue[2] + chain.front() + bits[2] + table[1] + table[3]);
    sink.take(seed);
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)
