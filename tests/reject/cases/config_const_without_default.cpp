// A const field without a value.
struct Config {  // expected-error {{give every field a default value}}
  const int64_t steps;
};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
