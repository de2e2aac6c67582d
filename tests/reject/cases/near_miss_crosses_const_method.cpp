// Const and static methods, and constants of the class.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

struct Item {
  static constexpr int64_t kSize = 3;
  static int64_t count();
  int64_t twice() const { return 2 * a; }
  int64_t a = 1;
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
