// Writes through views, references, lambdas and pointers are found: what they join stays together.

struct Config {
  int64_t steps = 10;
  int64_t envs = 4;
};

void train(fdg::Run& run, const Config& cfg) {
  rl::VectorEnv envs("CartPole-v1", run.rows(cfg.envs), run.stream("env"));
  rl::Actor actor({}, run.rows(cfg.envs), run.stream("actor"));
  std::vector<rl::NStep> many(3, rl::NStep(2));
  torch::Tensor total = torch::zeros({4});
  auto view = total.view({2, 2});
  int64_t count = 0;
  auto& alias = count;
  const auto tick = [&](int64_t by) { count += by; };
  for (auto& one : many) {
    one.push({}, {}, {}, {});
  }
  for (int64_t step = 0; step < cfg.steps; ++step) {
    view.add_(envs.reset());
    alias += envs.step(total).reward.size(0);
    tick(2);
    auto sum = total.clone();
    auto counted = count;
    fdg::partition(fdg::gather, sum);
    fdg::partition(fdg::broadcast, counted);
    actor.act(sum, counted);
  }
}
FDG_PROGRAM(train)

// CHECK: fragment environment: components envs
// CHECK: fragment actor: components actor
// CHECK: fragment actor2: components many
// CHECK: boundary sum: gather environment -> actor
// CHECK: boundary counted: broadcast environment -> actor
// CHECK: 16: copied by environment: const auto tick
// CHECK: 23: owned by environment: tick(2)
// CHECK: 24: owned by environment: auto sum = total.clone();
// CHECK: 25: owned by environment: auto counted = count;
