// Values in values.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

struct Item {
  std::vector<std::map<std::string, std::optional<torch::Tensor>>> a;
  std::pair<bool, std::tuple<double, std::string>> b;
  std::array<int8_t, 3> c;
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
