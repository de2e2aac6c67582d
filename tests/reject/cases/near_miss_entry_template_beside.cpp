// A template beside the training function.
struct Config {};
template <class T>
void each(fdg::Run& run, const T& cfg) {}
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
