// It gets the config by const reference.
struct Config {};
void train(fdg::Run& run, Config cfg) {}  // expected-error {{its second parameter is not a const reference to a struct}}
FDG_PROGRAM(train)
