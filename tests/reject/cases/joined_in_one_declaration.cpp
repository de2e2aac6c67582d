// Two components of one declaration are in one fragment; the notes say how to part them.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv first("CartPole-v1", run.rows(cfg.envs), run.stream("first")),  // expected-note {{declares the component 'first' along with others}} expected-note {{declares the component 'second' along with others}}
      second("CartPole-v1", run.rows(cfg.envs), run.stream("second"));
  for (int64_t step = 0; step < cfg.steps; ++step) {
    torch::Tensor obs = first.reset();  // expected-note 0-9 {{}}
    fdg::partition(fdg::gather, obs);  // expected-error {{separates nothing}}
    second.step(obs);  // expected-note 0-9 {{}}
  }
}
FDG_PROGRAM(train)
