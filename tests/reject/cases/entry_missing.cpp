// No training function.
// expected-error@1 {{no training function: write `void train(fdg::Run& run, const Config& cfg)`}}

int main() { return 0; }
