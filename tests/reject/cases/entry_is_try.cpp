// A function try block.
struct Config {};
void train(fdg::Run& run, const Config& cfg) try {  // expected-error {{the body of 'train' is a try block}}
} catch (...) {
}
FDG_PROGRAM(train)
