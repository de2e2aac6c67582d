#include "runtime/forecast/Scripts.h"

#include <algorithm>
#include <map>

namespace fdg::forecast {
namespace {

using host::ScriptRecord;
using host::StepRecord;
using Kind = StepRecord::Kind;

double shareOf(const ScriptRecord& script) {
  return static_cast<double>(script.replicas) / static_cast<double>(script.of);
}

double secondsPerIteration(const ScriptRecord& script) {
  double sum = 0;
  for (const StepRecord& step : script.steps) {
    sum += step.computing;
  }
  return sum / static_cast<double>(std::max<size_t>(1, script.iterations.size()));
}

std::map<int64_t, std::vector<StepRecord>> byIteration(const ScriptRecord& script) {
  std::map<int64_t, std::vector<StepRecord>> iterations;
  auto step = script.steps.begin();
  for (const int64_t number : script.iterations) {
    auto& steps = iterations[number];
    while (step != script.steps.end()) {
      steps.push_back(*step++);
      if (steps.back().kind == Kind::end) {
        break;
      }
    }
  }
  return iterations;
}

/// A boundary that was drained when it was measured and is ordered here: nothing says where in its
/// iteration the consumer takes it.
std::string drainedThen(const Manifest& manifest, const place::Placement& placement,
                        const Timings& timings) {
  for (const ScriptRecord& script : timings) {
    for (const StepRecord& step : script.steps) {
      if (step.kind == Kind::drain &&
          placement.boundaries[static_cast<size_t>(step.boundary)].mode == place::Mode::ordered) {
        return "these timings were taken with boundary " +
               manifest.boundaries[static_cast<size_t>(step.boundary)].name +
               " drained, which is ordered under this policy; take them under a policy where it is "
               "ordered, such as single";
      }
    }
  }
  return {};
}

}  // namespace

Result<std::vector<Script>> scriptsFor(const Manifest& manifest, const place::Placement& placement,
                                       const host::Topology& topology, const Timings& timings) {
  if (std::string fault = drainedThen(manifest, placement, timings); !fault.empty()) {
    return Error{std::move(fault)};
  }
  std::map<int, std::map<int64_t, std::vector<StepRecord>>> recorded;
  std::vector<Script> scripts(manifest.fragments.size());
  for (const ScriptRecord& record : timings) {
    recorded[record.fragment] = byIteration(record);
    scripts[static_cast<size_t>(record.fragment)].share = shareOf(record);
  }
  for (auto& [fragment, iterations] : recorded) {
    const int rate_class = topology.rate_class[static_cast<size_t>(fragment)];
    for (auto& [number, steps] : iterations) {
      const bool by_all = std::ranges::all_of(recorded, [&, n = number](const auto& other) {
        return topology.rate_class[static_cast<size_t>(other.first)] != rate_class ||
               other.second.contains(n);
      });
      if (by_all) {
        scripts[static_cast<size_t>(fragment)].iterations.push_back(steps);
      }
    }
    if (scripts[static_cast<size_t>(fragment)].iterations.empty()) {
      return Error{"these timings have no iteration that all fragments at the rate of " +
                   manifest.fragments[static_cast<size_t>(fragment)].name +
                   " went through; take them from a run that ends by itself, under single"};
    }
  }
  for (const LoopInfo& loop : manifest.loops) {
    for (const int fragment : loop.fragments) {
      if (loop.has_boundary && loop.parent < 0 && !recorded.contains(fragment)) {
        return Error{"these timings have nothing of fragment " +
                     manifest.fragments[static_cast<size_t>(fragment)].name +
                     ", which went through no iteration; take them from a run that ends by itself "
                     "and has iterations in its loops (--set)"};
      }
    }
  }
  return scripts;
}

double timeFactor(int fragment, double share, const std::vector<Timings>& measured) {
  std::vector<std::pair<double, double>> points;  // share, seconds
  for (const Timings& timings : measured) {
    for (const ScriptRecord& script : timings) {
      const bool is_new =
          std::ranges::none_of(points, [&](const auto& p) { return p.first == shareOf(script); });
      if (script.fragment == fragment && is_new) {
        points.emplace_back(shareOf(script), secondsPerIteration(script));
      }
    }
  }
  if (points.empty() || points.front().second <= 0) {
    return 1;
  }
  const auto first = points.front();
  if (points.size() == 1) {
    return share / first.first;
  }
  std::ranges::sort(points, {}, [&](const auto& p) { return std::abs(p.first - share); });
  const auto [share_a, time_a] = points[0];
  const auto [share_b, time_b] = points[1];
  const double slope = (time_b - time_a) / (share_b - share_a);
  // A line through two noisy points may come out below nothing.
  return std::max(0.01 * time_a, time_a + slope * (share - share_a)) / first.second;
}

}  // namespace fdg::forecast
