// A public struct of a class.
struct Trainer {
  struct Config {
    int64_t steps = 1;
  };
};
using Config = Trainer::Config;
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
