// A macro makes the head.
struct Config {};
#define TRAINING(name) void name(fdg::Run& run, const Config& cfg)
TRAINING(train) {}  // expected-error {{a macro makes the head or the body of the training function}}
FDG_PROGRAM(train)
