// A comparator without fields is the same on both sides.

struct Config {
  int64_t steps = 10;
};

struct Order {
  static constexpr bool descending = true;
  bool operator()(int64_t a, int64_t b) const { return descending ? b < a : a < b; }
};
using Scores = std::map<int64_t, double, Order>;
class FDG_ROLE("maker") Maker {
 public:
  Scores make();
};
class FDG_ROLE("taker") Taker {
 public:
  void take(const Scores& scores);
};

void train(fdg::Run& run, const Config& cfg) {
  Maker maker;
  Taker taker;
  auto scores = maker.make();
  fdg::partition(fdg::broadcast, scores);
  taker.take(scores);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
