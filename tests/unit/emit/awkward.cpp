// A program whose text looks like markup: "</td></table><script>alert('&')</script>" & <b>, <!-- ä
// – 𝄞.

struct Config {
  int64_t steps = 10;
  std::string title = "</code><script>document.title = '&lt;'</script>";
};

#define STEP(envs, action) (envs).step(action)

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("\"<CartPole>\" & 'more' \\", run.rows(2), run.stream("env"));
  rl::Actor actor(rl::envSpec("CartPole-v1"), run.rows(2), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);  // a tab in front
  for (int64_t i = 0; i < cfg.steps && i + 1 > 0; ++i) {
    auto action = actor.act(obs, i);
    fdg::partition(fdg::scatter, action);
    auto outcome = STEP(envs, action);
    if (i < 3) {
      run.log("<reward> & \"more\"", outcome.reward.mean().item<double>());
    }
    fdg::partition(fdg::gather, outcome);
    obs = outcome.observation;
    do {
      actor.values();
    } while (i < 0);
  }
}
FDG_PROGRAM(train)
