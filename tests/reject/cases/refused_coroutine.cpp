// A coroutine.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
  int64_t limit = 3;
};

#include <coroutine>
namespace std {
template <>
struct coroutine_traits<void, fdg::Run&, const Config&> {
  struct promise_type {
    void get_return_object() {}
    suspend_never initial_suspend() { return {}; }
    suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
}  // namespace std

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  actor.act(obs);
  co_return;  // expected-error {{a training function cannot be a coroutine}}
}
FDG_PROGRAM(train)
