// A trailing return type, noexcept, and names of one's own for the parameters.
struct Settings {};
auto learn(fdg::Run& r, const Settings& s) noexcept -> void {}
FDG_PROGRAM(learn)
// expected-no-diagnostics
