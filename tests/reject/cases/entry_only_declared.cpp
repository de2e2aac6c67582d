// The function is defined elsewhere.
struct Config {};
void train(fdg::Run& run, const Config& cfg);
FDG_PROGRAM(train)  // expected-error {{`train` has no body in this file}}
