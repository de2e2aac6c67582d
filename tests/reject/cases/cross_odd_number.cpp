// A number that is no standard one.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

struct Item {
  __int128 a = 1;
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
  fdg::partition(fdg::broadcast, x);  // expected-error {{its field `a`: `__int128` is no standard type of number}}
  taker.take(x);
}
FDG_PROGRAM(train)
