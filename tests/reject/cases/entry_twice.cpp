// Two are named.

struct Config {};
void first(fdg::Run&, const Config&) {}
void second(fdg::Run&, const Config&) {}
FDG_PROGRAM(first)
FDG_PROGRAM(second)  // expected-error {{FDG_PROGRAM names `first` and `second`}}
