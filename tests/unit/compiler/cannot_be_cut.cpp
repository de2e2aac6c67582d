// A helper takes everything, so nothing can be cut; that is said without -Rfdg.

struct Config {
  int64_t steps = 10;
};

void collect(rl::VectorEnv& envs, rl::Actor& actor) { envs.step(actor.act(envs.reset())); }

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(8), run.stream("env"));
  rl::Actor actor({}, run.rows(8), run.stream("actor"));
  for (int64_t step = 0; step < cfg.steps; ++step) {
    collect(envs, actor);
  }
}
FDG_PROGRAM(train)

// CHECK: 13:5: remark: 'environment' and 'actor' stay in one fragment: this statement cannot be taken apart: it hands over the component `envs` itself
// CHECK: 9:6: warning: this program has no annotations and cannot be cut along its components
// CHECK: fragment environment+actor: components envs, actor
