// A deque inside.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#include <deque>
struct Item {
  std::deque<int64_t> a;
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
  fdg::partition(fdg::broadcast, x);  // expected-error {{is not one of the containers that can cross}}
  taker.take(x);
}
FDG_PROGRAM(train)
