// A union.
union Config {  // expected-error {{a union has no fields to set}}
  int64_t steps;
  double rate;
};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
