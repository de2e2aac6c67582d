// A const field with a value, and a reference to a constant.
inline const int64_t kSteps = 3;
struct Config {
  const int64_t steps = 1;
  const int64_t& other = kSteps;
};
void train(fdg::Run& run, const Config& cfg) {}
FDG_PROGRAM(train)
// expected-no-diagnostics
