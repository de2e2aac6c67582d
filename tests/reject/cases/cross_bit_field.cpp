// A bit-field.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

struct Item {
  int64_t a = 1;
  int64_t b : 3;
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
  fdg::partition(fdg::broadcast, x);  // expected-error {{its field `b`: it is a bit-field}}
  taker.take(x);
}
FDG_PROGRAM(train)
