// A config that nobody can destroy.
class Config {  // expected-error {{its destructor must be public}}
  ~Config() = default;
};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
