// It returns nothing.
struct Config {};
int train(fdg::Run& run, const Config& cfg) { return 0; }  // expected-error {{'train' cannot be a training function: it returns a value}}
FDG_PROGRAM(train)
