// A check that is one statement.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

[[noreturn]] void fail(const char* text);
#define CHECK(x) if (!(x)) { fail(#x); }
#define AT_LEAST(x, n) do { if ((x) < (n)) { fail(#x); } } while (false)

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  CHECK(obs.size(0) == cfg.envs);
  AT_LEAST(cfg.steps, 1);
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
}
FDG_PROGRAM(train)
// expected-no-diagnostics
