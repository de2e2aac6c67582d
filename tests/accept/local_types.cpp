// Types, usings, constants and lambdas of the function itself; designated initialisers; shadowed names; a
// trailing return type; a program in a nested namespace with templates of its own.
#include <string>

#include "parts.h"

namespace study::one {

template <class T>
struct Pair {
  T first{};
  T second{};
};

template <class T>
Pair<T> swapped(const Pair<T>& pair) {
  return {.first = pair.second, .second = pair.first};
}

template <class T, class... Rest>
T sum(T head, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return head;
  } else {
    return head + sum(rest...);
  }
}

struct Config {
  int64_t steps = 8;
  int64_t base = 2;
};

auto train(fdg::Run& run, const Config& cfg) -> void {
  using namespace std::string_literals;
  using Number = int64_t;
  enum class Kind : uint8_t { small, large };
  struct Item {
    Number value = 4;
    Kind kind = Kind::small;
    std::string name = "none";
    std::vector<bool> bits = {};
    unsigned char byte = 7;
  };
  static constexpr Number kLimit = 50;
  parts::Source source;
  parts::Sink sink;
  [[maybe_unused]] const Number unused = 3;
  const auto kind = [&cfg, limit = kLimit](Number n) -> Kind {
    if (n > limit + cfg.base) {
      return Kind::large;
    }
    return Kind::small;
  };
  for (Number step = 0, other = cfg.steps; step < cfg.steps; ++step, --other) {
    Number n = source.next();
    const auto item = Item{.value = n, .kind = kind(n), .bits = {n % 2 == 0, true}};
    auto pair = swapped(Pair<Number>{n, step});
    fdg::partition(fdg::broadcast, item, pair);
    const auto& [value, which, name, bits, byte] = item;
    Number total = sum<Number>(value, pair.first, pair.second, other, bits[0] ? 1 : 0, byte);
    for (Number n = 0; n < 2; ++n) {  // another n
      total += n;
      Number step = total % 3;        // another step
      total += sink.take(step + cfg.base);
    }
    switch (which) {
      case Kind::small:
        total += sink.take(1);
        break;
      case Kind::large: {
        constexpr Number kExtra = 9;
        total += sink.take(kExtra);
        break;
      }
    }
    run.log("total", (name + "!"s).size() == 5 ? total : -1);
  }
}

}  // namespace study::one
FDG_PROGRAM(study::one::train)

// CHECK-DAG: fragment source: components source;
// CHECK-DAG: fragment sink: components sink;
// CHECK-DAG: boundary item: broadcast source -> sink
// CHECK-DAG: copied by sink: {{.*}}auto& [value, which, name, bits, byte] = item
