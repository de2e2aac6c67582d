// An enum and a named struct of its own.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

struct Item {
  enum class Kind { one, two };
  struct Inner {
    double x = 0;
  };
  Kind kind = Kind::one;
  Inner inner;
};
class FDG_ROLE("maker") Maker {
 public:
  Item make();
};
class FDG_ROLE("taker") Taker {
 public:
  void take(const Item& item);
};

void train(fdg::Run& run, const Config& cfg) {
  Maker maker;
  Taker taker;
  auto x = maker.make();
  fdg::partition(fdg::broadcast, x);
  taker.take(x);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
