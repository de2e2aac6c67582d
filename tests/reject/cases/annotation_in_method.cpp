// An annotation in a method does nothing.
struct Config {};
struct Part {
  void step() {
    double x = 1;
    fdg::partition(fdg::gather, x);  // expected-error {{in another function than the training function}}
  }
};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
