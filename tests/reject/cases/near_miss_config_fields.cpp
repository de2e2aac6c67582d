// Fields of every settable kind.
enum class Kind { fast, slow };
struct Inner {
  Inner() = default;
  double rate = 0.5;
};
struct Base {
  bool quiet = false;
};
struct Config : Base {
  Kind kind = Kind::fast;
  std::optional<double> limit;
  std::optional<Kind> other;
  std::vector<int64_t> layers = {64, 64};
  Inner inner;
  uint8_t small = 1;
};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
