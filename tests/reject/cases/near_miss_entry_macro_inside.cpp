// A macro inside the parameters' types.
struct Config {};
#define CONFIG Config
void train(fdg::Run& run, const CONFIG& cfg) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
