// What an actor gives is rows, unless the body of its method says that its tensors have different lengths.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

struct Choice {
  torch::Tensor action, scale;
};

class FDG_ROLE("actor") Mixed {
 public:
  Choice act(const torch::Tensor& observation) {
    const auto scale = torch::zeros({3, 2});
    return {observation * 2.0, scale};
  }

 private:
  int64_t steps_ = 0;
};
class FDG_ROLE("actor") Even {
 public:
  Choice act(const torch::Tensor& observation) {
    Choice choice = {torch::zeros({4}), torch::zeros({4, 2})};
    return choice;
  }
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::VectorEnv more("CartPole-v1", run.rows(cfg.envs), run.stream("more"));
  Mixed mixed;
  Even even;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto choice = mixed.act(envs.reset());
    envs.step(choice.action + choice.scale);
    auto other = even.act(more.reset());
    more.step(other.action + other.scale);
  }
}
FDG_PROGRAM(train)

// CHECK: 36:32: remark: 'environment' and 'actor' stay in one fragment: `choice` cannot cross: its field `scale` has 3 rows, whatever the others have, and rows that cross together are equally many
// CHECK: as if `fdg::partition(fdg::scatter, other);` stood behind this statement
// CHECK: fragment environment+actor: components envs, mixed
