// Another function of the same name that is no training function.
struct Config {};
void train(int64_t n) {}
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
