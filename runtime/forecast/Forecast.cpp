#include "runtime/forecast/Forecast.h"

#include <algorithm>

#include "runtime/forecast/Scene.h"
#include "runtime/forecast/Walk.h"
#include "runtime/place/Traffic.h"

namespace fdg::forecast {
namespace {

using host::StepRecord;
using Kind = StepRecord::Kind;

/// In which windows fill and fragments come as far apart as `ahead` lets them.
constexpr int64_t kWarmUp = 20;
constexpr int64_t kShortWarmUp = 2;  // where more would take too long
constexpr int64_t kMeasured = 8;
constexpr double kMostMessages = 20e6;

bool sends(const StepRecord& step) {
  return step.kind == Kind::send || step.kind == Kind::exchange;
}

/// Per iteration of the producer, by boundary.
std::vector<double> executionsOf(const Manifest& manifest, const std::vector<Script>& scripts) {
  std::vector<double> executions(manifest.boundaries.size());
  for (const Script& script : scripts) {
    for (const auto& steps : script.iterations) {
      for (const StepRecord& step : steps) {
        if (sends(step)) {
          executions[static_cast<size_t>(step.boundary)] +=
              1 / static_cast<double>(script.iterations.size());
        }
      }
    }
  }
  return executions;
}

/// Mean of what one execution of a boundary sends.
StepRecord typicalStep(const Script& script, int boundary) {
  StepRecord typical{Kind::send, boundary, 0, 0};
  int64_t count = 0;
  for (const auto& steps : script.iterations) {
    for (const StepRecord& step : steps) {
      if (sends(step) && step.boundary == boundary) {
        typical.bytes += step.bytes;
        ++count;
      }
    }
  }
  typical.bytes /= std::max<int64_t>(1, count);
  return typical;
}

std::vector<BoundaryLoad> loadsOf(const Manifest& manifest, const Walk& walk,
                                  const std::vector<Script>& scripts) {
  const std::vector<double> executions = executionsOf(manifest, scripts);
  std::vector<StepRecord> steps;
  std::vector<BoundaryLoad> loads;
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    steps.push_back(typicalStep(scripts[static_cast<size_t>(boundary.producer)], boundary.id));
    loads.push_back({executions[static_cast<size_t>(boundary.id)], {}, {}, {}});
  }
  for (const Channel& channel : walk.scene().channels) {
    BoundaryLoad& load = loads[static_cast<size_t>(channel.boundary)];
    Load& level = channel.level == Level::local    ? load.local
                  : channel.level == Level::within ? load.within
                                                   : load.between;
    level.messages += 1;
    level.bytes += walk.bytesOf(channel, steps[static_cast<size_t>(channel.boundary)]);
  }
  return loads;
}

std::vector<FragmentLoad> sharesOf(const Manifest& manifest, const Walk& walk) {
  std::vector<FragmentLoad> fragments(manifest.fragments.size());
  for (const Actor& actor : walk.scene().actors) {
    FragmentLoad& load = fragments[static_cast<size_t>(actor.fragment)];
    ++load.instances;
    load.computing += actor.busy;
  }
  for (FragmentLoad& load : fragments) {
    load.computing /= std::max(1, load.instances) * std::max(1e-12, walk.now());
  }
  return fragments;
}

std::string tooMany(double messages) {
  return "the estimate would go through " + std::to_string(static_cast<int64_t>(messages / 1e6)) +
         " million messages, which takes too long; describe a smaller cluster, or take timings of "
         "a "
         "program with a shorter iteration";
}

/// When the slowest of those with whom the run ends came to the end of that iteration.
double endOf(const Scene& scene, int64_t iteration) {
  double end = 0;
  for (const Actor& actor : scene.actors) {
    if (actor.stops) {
      end = std::max(end, actor.ends[static_cast<size_t>(iteration)]);
    }
  }
  return end;
}

/// How many iterations are walked through.
struct Extent {
  int64_t warm_up = 0;
  int64_t measured = 0;  // whole cycles of the scripts
  int64_t all() const { return warm_up + measured; }
};

/// A sentence if even the shortest walk would take too long.
Result<Extent> extentOf(const Manifest& manifest, const std::vector<Script>& scripts,
                        const std::vector<place::Traffic>& traffic) {
  size_t cycle = 1;
  for (const Script& script : scripts) {
    cycle = std::max(cycle, script.iterations.size());
  }
  const std::vector<double> executions = executionsOf(manifest, scripts);
  double messages = 0;  // in an iteration
  for (size_t b = 0; b < executions.size(); ++b) {
    messages += executions[b] * static_cast<double>(traffic[b].total());
  }
  const auto whole = static_cast<int64_t>(cycle);
  Extent extent{kWarmUp, (kMeasured + whole - 1) / whole * whole};
  if (messages * static_cast<double>(extent.all()) > kMostMessages) {
    extent.warm_up = kShortWarmUp;
  }
  const double all = messages * static_cast<double>(extent.all());
  return all > kMostMessages ? Result<Extent>(Error{tooMany(all)}) : Result<Extent>(extent);
}

/// Channels of one execution alone may be more than memory holds.
std::string tooManyChannels(const std::vector<place::Traffic>& traffic) {
  double channels = 0;
  for (const place::Traffic& boundary : traffic) {
    channels += static_cast<double>(boundary.total());
  }
  return channels > kMostMessages / 10 ? tooMany(channels * (kShortWarmUp + kMeasured)) : "";
}

}  // namespace

Result<Forecast> forecast(const Manifest& manifest, const place::Placement& placement,
                          const place::Cluster& cluster, const std::vector<Timings>& measured) {
  const auto traffic =
      place::predictTraffic(manifest, placement, place::nodesOfRanks(cluster, placement.ranks));
  if (std::string fault = tooManyChannels(traffic); !fault.empty()) {
    return Error{std::move(fault)};
  }
  const host::Topology topology = host::layOut(manifest, placement);
  auto scripts = scriptsFor(manifest, placement, topology, measured.front());
  if (!scripts) {
    return Error{scripts.error()};
  }
  const auto extent = extentOf(manifest, *scripts, traffic);
  if (!extent) {
    return Error{extent.error()};
  }
  Walk walk(manifest, placement, cluster, *scripts,
            layScene(manifest, placement, topology, cluster, *scripts, measured));
  if (std::ranges::none_of(walk.scene().actors, &Actor::stops)) {
    return Error{
        "no loop that boundaries cross is in these timings, so there is nothing to estimate"};
  }
  const auto [warm_up, in_step] = extent.value();
  if (!walk.run(extent.value().all())) {
    return Error{
        "the steps in these timings do not fit together, as if they were of different iterations; "
        "take them from a run under policy single that ends by itself"};
  }
  const double seconds =
      endOf(walk.scene(), warm_up + in_step - 1) - endOf(walk.scene(), warm_up - 1);
  return Forecast{seconds / static_cast<double>(in_step), warm_up + in_step,
                  sharesOf(manifest, walk), loadsOf(manifest, walk, *scripts)};
}

}  // namespace fdg::forecast
