// A config with arguments.
struct Config {  // expected-error {{the configuration 'Config' cannot be made without arguments}}
  explicit Config(int64_t n) : steps(n) {}
  int64_t steps;
};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
