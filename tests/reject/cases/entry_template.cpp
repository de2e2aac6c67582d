// A template is no training function.

template <class Config>
void train(fdg::Run&, const Config&) {}  // expected-error {{'train' is a template}}
FDG_PROGRAM(train)
