// Manifests as fdgc writes them for small programs, made by hand: what placing needs and nothing
// else.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/Manifest.h"

namespace fdg::place {

/// Adds fragments and boundaries one line each.
struct PlanBuilder {
  Manifest plan;

  explicit PlanBuilder(const std::string& program) {
    plan.program = program;
    plan.source = program + ".cpp";
    plan.compiler = "clang 19.1.7";
    plan.torch_version = "2.11.0";
  }

  FragmentInfo& fragment(const std::string& name, std::vector<std::string> roles,
                         std::vector<std::string> components) {
    FragmentInfo info;
    info.id = static_cast<int>(plan.fragments.size());
    info.name = name;
    info.roles = std::move(roles);
    info.components = std::move(components);
    info.lines = {10 + info.id, 11 + info.id};
    plan.fragments.push_back(info);
    return plan.fragments.back();
  }

  BoundaryInfo& boundary(const std::string& name, OperationKind operation, const std::string& from,
                         const std::vector<std::string>& to) {
    BoundaryInfo info;
    info.id = static_cast<int>(plan.boundaries.size());
    info.name = name;
    info.operation = operation;
    info.values = {name};
    info.types = {"at::Tensor"};
    info.line = 20 + info.id;
    info.producer = idOf(from);
    for (const auto& consumer : to) {
      info.consumers.push_back(idOf(consumer));
    }
    info.drainable = {false, "it is read by a condition at line " + std::to_string(info.line + 1)};
    info.newest_able = {false, "its consumer would lose values"};
    info.callable = {false, "one of its components is not for several threads"};
    plan.boundaries.push_back(info);
    return plan.boundaries.back();
  }

  int idOf(const std::string& fragment) const {
    return static_cast<int>(std::ranges::find(plan.fragments, fragment, &FragmentInfo::name) -
                            plan.fragments.begin());
  }
};

inline Manifest apexPlan() {
  PlanBuilder b("apex");
  b.fragment("environment", {"environment"}, {"envs"});
  b.fragment("actor", {"actor"}, {"actor", "nstep"});
  FragmentInfo& buffer = b.fragment("buffer", {"buffer"}, {"replay"});
  buffer.approximate = true;
  buffer.approximate_reason = "replay (PrioritizedReplay) samples from its own share";
  b.fragment("learner", {"learner"}, {"learner"});
  FragmentInfo& evaluator = b.fragment("evaluator", {"evaluator"}, {"evaluator"});
  evaluator.fusable = {false, "evaluator reads its replica's number"};
  b.boundary("obs", OperationKind::gather, "environment", {"actor"});
  BoundaryInfo& weights =
      b.boundary("weights", OperationKind::broadcast, "learner", {"actor", "evaluator"});
  weights.loose = true;
  weights.newest_able = {};
  b.boundary("action", OperationKind::scatter, "actor", {"environment"});
  b.boundary("outcome", OperationKind::gather, "environment", {"actor"});
  BoundaryInfo& experience = b.boundary("experience", OperationKind::append, "actor", {"buffer"});
  experience.loose = true;
  experience.drainable = experience.callable = {};
  b.boundary("stored", OperationKind::reduce_sum, "buffer", {"buffer", "learner"})
      .producer_needs_result = true;
  b.boundary("batch", OperationKind::scatter, "buffer", {"learner"});
  b.boundary("grads", OperationKind::reduce_mean, "learner", {"learner"}).producer_needs_result =
      true;
  BoundaryInfo& priorities = b.boundary("priorities", OperationKind::gather, "learner", {"buffer"});
  priorities.loose = true;
  priorities.drainable = priorities.callable = {};
  b.plan.rate_classes = {
      {{0, 1}, {"experience", "weights"}}, {{2, 3}, {"experience", "weights"}}, {{4}, {"weights"}}};
  b.plan.config = {{"steps", "int", "20'000", "Iterations of the training loop."},
                   {"dqn.lr", "float", "1e-4", "Learning rate."}};
  return b.plan;
}

inline Manifest ppoPlan() {
  PlanBuilder b("ppo");
  b.fragment("environment", {"environment"}, {"envs"});
  b.fragment("actor", {"actor"}, {"actor"});
  b.fragment("learner", {"learner"}, {"learner"});
  b.boundary("weights", OperationKind::broadcast, "learner", {"actor"});
  b.boundary("action", OperationKind::scatter, "actor", {"environment"});
  b.boundary("outcome", OperationKind::gather, "environment", {"actor"});
  b.boundary("rollout", OperationKind::gather, "actor", {"learner"});
  b.boundary("grads", OperationKind::reduce_mean, "learner", {"learner"}).producer_needs_result =
      true;
  return b.plan;
}

inline Manifest dqnPlan() {
  PlanBuilder b("dqn");
  b.fragment("environment", {"environment"}, {"envs"});
  b.fragment("actor", {"actor"}, {"actor"});
  FragmentInfo& buffer = b.fragment("buffer", {"buffer"}, {"replay"});
  buffer.approximate = true;
  buffer.approximate_reason = "replay (UniformReplay) samples from its own share";
  b.fragment("learner", {"learner"}, {"learner"});
  BoundaryInfo& weights = b.boundary("weights", OperationKind::broadcast, "learner", {"actor"});
  weights.loose = true;
  weights.newest_able = {};
  BoundaryInfo& experience = b.boundary("experience", OperationKind::append, "actor", {"buffer"});
  experience.loose = true;
  experience.drainable = {};
  b.boundary("batch", OperationKind::scatter, "buffer", {"learner"});
  b.boundary("grads", OperationKind::reduce_mean, "learner", {"learner"}).producer_needs_result =
      true;
  return b.plan;
}

}  // namespace fdg::place
