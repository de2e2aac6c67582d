// A private type of a component.
struct Config {};
class FDG_ROLE("maker") Maker {
  struct Hidden {
    int64_t a = 1;
  };

 public:
  Hidden make();
};
class FDG_ROLE("taker") Taker {
 public:
  template <class T>
  void take(const T& item);
};
void train(fdg::Run& run, const Config& cfg) {
  Maker maker;
  Taker taker;
  auto x = maker.make();
  fdg::partition(fdg::broadcast, x);  // expected-error {{is private to its class, and the receiving fragment must declare it}}
  taker.take(x);
}
FDG_PROGRAM(train)
