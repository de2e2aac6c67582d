// The named function is not there.

struct Config {};
void first(fdg::Run&, const Config&) {}
FDG_PROGRAM(frist)  // expected-error {{there is no function `frist` in this file}}
