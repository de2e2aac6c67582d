// Files, lines and names that are the same in every fragment.
#include <source_location>

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

std::string place(int line = __builtin_LINE(), const char* file = __builtin_FILE());
namespace c10 {  // LibTorch shows its own in messages only
struct SourceLocation {
  static SourceLocation current(const char* function = __builtin_FUNCTION());
};
FDG_PURE double checked(double x, SourceLocation place);
}  // namespace c10
std::string here() { return std::source_location::current().function_name(); }

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  run.log(__func__, actor.act(obs).item<double>());
  run.log(__PRETTY_FUNCTION__, envs.finishedReturns());
  run.log([] { return __func__; }(), 1.0);
  run.log(here() + place(), c10::checked(1.0, c10::SourceLocation::current()));
}
FDG_PROGRAM(train)
// expected-no-diagnostics
