// An abstract class.
struct Config {  // expected-error {{it is abstract}}
  virtual int64_t steps() const = 0;
};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
