// Neither is a method.
struct Config {};
struct Trainer {
  void train(fdg::Run& run, const Config& cfg) {}
};
FDG_PROGRAM(Trainer::train)  // expected-error {{`Trainer::train` is a method}}
