// The config must come by const reference.

struct Config {};
void train(fdg::Run&, Config) {}  // expected-error {{'train' cannot be a training function}}
FDG_PROGRAM(train)
