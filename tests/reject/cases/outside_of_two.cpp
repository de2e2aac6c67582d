// Files and environment variables between fragments.
#include <cstdlib>
#include <fstream>

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void dump(double loss) {
  std::ofstream file("loss.txt");
  file << loss;
}
double slurp(const std::string& name) {
  std::ifstream file(name);
  double loss = 0;
  file >> loss;
  return loss;
}

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  torch::Tensor obs = envs.reset();
  fdg::partition(fdg::gather, obs);
  dump(actor.act(obs).item<double>());
  setenv("LOSS", "1", actor.act(obs).item<int>());
  auto action = envs.step(torch::zeros({1})).reward * slurp("loss.txt");
  envs.step(action * std::getenv("LOSS")[0]);
  // expected-error@*:* {{this reads a file in fragment 'environment' that fragment 'actor' may have written}}
  // expected-error@*:* {{this reads an environment variable in fragment 'environment' that fragment 'actor' may have written}}
}
FDG_PROGRAM(train)
