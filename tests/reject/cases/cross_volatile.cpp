// What may change behind the program's back has no value at the annotation; a copy has.

struct Config {
  int64_t steps = 10;
};

class FDG_ROLE("maker") Maker {
 public:
  int64_t make();
};
class FDG_ROLE("taker") Taker {
 public:
  void take(int64_t x);
};

void train(fdg::Run& run, const Config& cfg) {
  Maker maker;
  Taker taker;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    volatile int64_t x = maker.make();
    fdg::partition(fdg::broadcast, x);  // expected-error {{it is volatile}}
    taker.take(x);
  }
}
FDG_PROGRAM(train)
