// An include before the function, of a file that is included twice.
#include <algorithm>
#include <algorithm>
struct Config {};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
