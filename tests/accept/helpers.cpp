// Functions of the same file, a local lambda, a local type, macros, a namespace, comments in odd places.
#include "parts.h"

#define SCALED(x) ((x) * 2 + 1)
#define LOG_SUM(name, tensor) run.log(name, (tensor).sum().item<int64_t>())

namespace {
namespace inner {

struct Config {
  int64_t steps = 10;   ///< Iterations.
  struct Nested {
    double rate = 0.5;  ///< Of something.
    bool fast = true;
  } nested;
  std::string label = "x";
};

int64_t rounds(const Config& cfg) { return cfg.steps + (cfg.nested.fast ? 1 : 0); }

void advance(parts::Environment& env, torch::Tensor& obs, const torch::Tensor& action) {
  auto outcome = env.step(action);
  obs = outcome.observation;
}

static void train(fdg::Run& run, const Config& cfg) {
  using Number = int64_t;
  parts::Environment env(run.rows(2));
  parts::Actor actor;
  torch::Tensor obs = env.reset();
  const Number last = rounds(cfg);
  auto twice = [](const torch::Tensor& t) { return t * 2; };
  for (Number step = 0; step < last; ++step) {
    fdg::partition(fdg::gather, obs);
    auto action = SCALED(twice(actor.act(obs)  // the actor's part
                               ));
    if (step > 2) LOG_SUM("action", action);
    fdg::partition(fdg::scatter, action);
    advance(env, obs,  // written by the helper
            action);
  }
}

}  // namespace inner
}  // namespace
FDG_PROGRAM(inner::train)

// CHECK-DAG: fragment environment: components env;
// CHECK-DAG: fragment actor: components actor;
