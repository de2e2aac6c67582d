// What names the function that it stands in, by itself or as a default.
#include <source_location>

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void note(const std::string& what, std::source_location at = std::source_location::current());
struct Tag {
  const char* function = __builtin_FUNCTION();
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  const auto here = std::source_location::current();  // expected-error {{this asks in which function it stands}}
  run.log(here.function_name(), actor.act(obs).item<double>());
  note("acted");  // expected-error {{this asks in which function it stands}}
  const Tag tag{};  // expected-error {{this asks in which function it stands}}
  run.log(tag.function, envs.finishedReturns());
  const auto inner = [] { return __PRETTY_FUNCTION__; };  // expected-error {{this asks in which function it stands}}
  run.log(inner(), 1.0);
  run.log("column", __builtin_COLUMN());  // expected-error {{this asks in which function it stands}}
}
FDG_PROGRAM(train)
