// It gets the run, not a copy of it.
struct Config {};
void train(fdg::Run run, const Config& cfg) {}  // expected-error {{its first parameter is not `fdg::Run&`}}
FDG_PROGRAM(train)
