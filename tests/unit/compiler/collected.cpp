// What a loop collects crosses once, behind the loop, where the loop uses it for nothing else; else in each round.
// As many components as an array's type says are as many on every replica.

struct Config {
  int64_t steps = 10;
};

void train(fdg::Run& run, const Config& cfg) {
  std::array<rl::VectorEnv, 2> envs = {rl::VectorEnv("CartPole-v1", run.rows(4), run.stream("a")),
                                       rl::VectorEnv("CartPole-v1", run.rows(4), run.stream("b"))};
  rl::Actor actor({}, run.rows(4), run.stream("actor"));
  std::vector<torch::Tensor> observations;
  for (auto& env : envs) {
    observations.push_back(env.reset());
  }
  for (int64_t step = 0; step < cfg.steps; ++step) {
    std::vector<torch::Tensor> actions;
    for (size_t i = 0; i < observations.size(); ++i) {
      actions.push_back(actor.act(observations[i]));
    }
    for (size_t i = 0; i < envs.size(); ++i) {
      observations[i] = envs[i].step(actions[i]).observation;
    }
    std::vector<torch::Tensor> seen;
    for (auto& env : envs) {
      seen.push_back(env.reset());
      actor.act(seen.back());
    }
  }
}
FDG_PROGRAM(train)

// CHECK: 13:3: remark: fdgc cuts here, as if `fdg::partition(fdg::gather, observations);` stood behind this statement
// CHECK: 18:5: remark: fdgc cuts here, as if `fdg::partition(fdg::scatter, actions);` stood behind this statement
// CHECK: 26:7: remark: fdgc cuts here, as if `fdg::partition(fdg::gather, {{seen|reset}});` stood behind this statement
// CHECK: fragment environment: components envs;
// CHECK-NEXT: replicable: yes
// CHECK: fragment actor: components actor;
// CHECK-NEXT: replicable: yes
// CHECK: boundary observations: gather environment -> actor; line 15; once
// CHECK: boundary actions: scatter actor -> environment; line 20; in loops {{[0-9]+}}{{$}}
