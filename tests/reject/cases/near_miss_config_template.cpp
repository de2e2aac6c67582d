// A specialisation of a template.
template <int N>
struct Sized {
  int64_t steps = N;
};
using Config = Sized<3>;
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
