// A declaration before the definition.
struct Config {};
void train(fdg::Run& run, const Config& cfg);
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
