// The function stands in an unnamed namespace.
struct Config {};
namespace {
void train(fdg::Run& run, const Config& cfg) {}
}  // namespace
FDG_PROGRAM(train)
// expected-no-diagnostics
