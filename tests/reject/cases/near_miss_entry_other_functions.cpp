// Other functions that look alike.
struct Config {};
struct Other {};
int64_t evaluate(fdg::Run& run, const Config& cfg) { return 1; }
void prepare(fdg::Run& run, const Other& other, int64_t n) {}
void train(fdg::Run& run, const Config& cfg) {}
// expected-no-diagnostics
