// Virtual methods with bodies.
struct Config {
  virtual ~Config() = default;
  virtual int64_t twice() const { return 2 * steps; }
  int64_t steps = 1;
};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
