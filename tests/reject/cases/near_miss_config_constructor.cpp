// A constructor without arguments.
struct Config {
  Config() : steps(3) {}
  explicit Config(int64_t n) : steps(n) {}
  int64_t steps;
};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
