// Two functions could be it.
// expected-error@1 {{'first' and 'second' could both be the training function}}

struct Config {};
void first(fdg::Run&, const Config&) {}
void second(fdg::Run&, const Config&) {}
