// A public type of a component.
struct Config {};
class FDG_ROLE("maker") Maker {
 public:
  struct Shown {
    int64_t a = 1;
  };
  Shown make();
};
class FDG_ROLE("taker") Taker {
 public:
  void take(const Maker::Shown& item);
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
