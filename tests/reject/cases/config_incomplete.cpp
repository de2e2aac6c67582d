// A config that is only declared.
struct Config;  // expected-error {{it is only declared, define it in this file}}
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
