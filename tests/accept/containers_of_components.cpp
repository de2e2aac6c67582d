// Containers of components, a component in a struct, owned by pointer, made later: each is one component.
#include <array>
#include <map>
#include <memory>
#include <optional>

#include "parts.h"

struct Config {
  int64_t steps = 9;
  int64_t actors = 3;
};

/// Two parts that belong together.
struct Desk {
  parts::Buffer buffer;
  int64_t visits = 0;
};

class Derived : public parts::Learner {
 public:
  int64_t twice() const { return 2 * loss(); }
};

void train(fdg::Run& run, const Config& cfg) {
  std::vector<parts::Actor> actors(static_cast<size_t>(cfg.actors));
  std::array<parts::Environment, 2> pair = {parts::Environment(run.rows(2), 3), parts::Environment(run.rows(2), 5)};
  auto learner = std::make_unique<Derived>();
  Desk desk;
  std::optional<parts::Environment> late;
  late.emplace(run.rows(2), 8);
  std::vector<torch::Tensor> observations;
  for (auto& env : pair) {
    observations.push_back(env.reset());
  }
  for (int64_t step = 0; step < cfg.steps; ++step) {
    fdg::partition(fdg::gather, observations);
    std::vector<torch::Tensor> actions;
    for (size_t i = 0; i < observations.size(); ++i) {
      actions.push_back(actors[i].act(observations[i]) + actors.back().act(observations[0]));
    }
    if (step % 3 == 0) {
      auto weights = learner->weights();
      fdg::partition(fdg::broadcast, weights);
      for (auto& actor : actors) {
        actor.load(weights);
      }
    }
    fdg::partition(fdg::scatter, actions);
    std::vector<parts::Outcome> outcomes;
    for (size_t i = 0; i < pair.size(); ++i) {
      outcomes.push_back(pair[i].step(actions[i]));
      observations[i] = outcomes[i].observation;
    }
    auto other = late->step(actions.front());
    fdg::partition(fdg::gather, outcomes, other);
    for (const auto& outcome : outcomes) {
      desk.buffer.add({outcome.observation, outcome.reward, other.reward});
    }
    ++desk.visits;
    auto batch = desk.buffer.sample(3);
    fdg::partition(fdg::scatter, batch);
    learner->learn(batch);
    run.log("loss", learner->loss() + learner->twice());
  }
  run.log("visits", desk.visits);
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment actor: components actors;
// CHECK-DAG: fragment environment: components pair;
// CHECK-DAG: fragment learner: components learner;
// CHECK-DAG: components desk;
// CHECK-DAG: fragment environment2: components late;
// CHECK-DAG: boundary actions: scatter actor -> environment, environment2
// CHECK-DAG: boundary outcomes: gather environment -> {{.*}}
