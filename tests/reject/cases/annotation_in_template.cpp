// Nor in a template.
struct Config {};
template <class T>
void give(T x) {
  fdg::partition(fdg::gather, x);  // expected-error {{in another function than the training function}}
}
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
