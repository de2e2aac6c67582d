// Parameters without names.
struct Config {};
void train(fdg::Run&, const Config&) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
