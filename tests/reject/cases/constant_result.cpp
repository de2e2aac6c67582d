// A const variable cannot hold the result of a reduction.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::Replay replay({}, run.stream("replay"));
  const int64_t stored = replay.size();
  fdg::partition(fdg::reduce_sum, stored);  // expected-error {{'stored' is const, but holds the result of reduce_sum from here on}}
  if (stored > 3) {
    replay.update({});
  }
}
FDG_PROGRAM(train)
