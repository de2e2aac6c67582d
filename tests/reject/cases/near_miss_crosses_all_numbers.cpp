// Numbers of all standard types.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

struct Item {
  char a = 0;
  unsigned char b = 0;
  int16_t c = 0;
  uint64_t d = 0;
  float e = 0;
  bool f = false;
  long double g = 0;
  char32_t h = 0;
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
