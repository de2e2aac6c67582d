// A lambda is no training function.
struct Config {};
const auto train = [](fdg::Run& run, const Config& cfg) {};
FDG_PROGRAM(train)  // expected-error {{`train` is a variable; a training function must be an ordinary function}}
