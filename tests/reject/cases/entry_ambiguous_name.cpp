// One name in two namespaces.
struct Config {};
namespace one {
void train(fdg::Run& run, const Config& cfg) {}
}
namespace two {
void train(fdg::Run& run, const Config& cfg) {}
}
FDG_PROGRAM(train)  // expected-error {{could both be the training function}}
