// The function stands in a namespace and is named with it.
namespace mine {
struct Config {};
static void train(fdg::Run& run, const Config& cfg) {}
}  // namespace mine
FDG_PROGRAM(mine::train)
// expected-no-diagnostics
