// The only function of that shape needs no name.

struct Config {};
void train(fdg::Run&, const Config&) {}
int other(int x) { return x; }
// expected-no-diagnostics
