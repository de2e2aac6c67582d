// The config is private to a class that has the training function as a friend.
class Trainer {
  struct Config {};  // expected-error {{the configuration 'Config' cannot be named outside its class}}
  friend void train(fdg::Run& run, const Config& cfg);
};
void train(fdg::Run& run, const Trainer::Config& cfg) {}
FDG_PROGRAM(train)
