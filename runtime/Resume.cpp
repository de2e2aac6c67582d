#include "runtime/Resume.h"

#include <algorithm>
#include <filesystem>

#include "base/Check.h"
#include "base/ReadFile.h"
#include "fdg/trace_hash.h"

namespace fdg {
namespace {

bool isGiven(const Options& options, const char* name) {
  return std::ranges::count(options.given, name) > 0;
}

[[noreturn]] void refuse(const checkpoint::Found& found, const std::string& what) {
  throw UserError("cannot resume from " + found.folder + ": " + what);
}

const place::Instance* instanceOf(const place::Placement& placement,
                                  const checkpoint::SavedFragment& saved) {
  const auto instance =
      std::ranges::find_if(placement.instances, [&](const place::Instance& candidate) {
        return candidate.replicas == saved.replicas && candidate.rank == saved.rank &&
               std::ranges::count(candidate.fragments, saved.fragment) > 0;
      });
  return instance == placement.instances.end() ? nullptr : &*instance;
}

int64_t replicasOf(const place::Placement& placement, int fragment) {
  for (const place::Instance& instance : placement.instances) {
    if (std::ranges::count(instance.fragments, fragment) > 0) {
      return instance.replicas.count;
    }
  }
  return 0;
}

void checkSamePlacement(const checkpoint::Found& found, const place::Placement& placement) {
  if (found.record.run.ranks != placement.ranks) {
    refuseOtherPlacement(found, "it was made by " + std::to_string(found.record.run.ranks) +
                                    " ranks, this call places " + std::to_string(placement.ranks));
  }
  for (const checkpoint::SavedFragment& saved : found.record.fragments) {
    if (instanceOf(placement, saved) == nullptr) {
      const auto fragment = static_cast<size_t>(saved.fragment);
      refuseOtherPlacement(found, "its fragment " + found.record.fragment_names[fragment] + " has " +
                                      std::to_string(saved.replicas.count) + " replicas, here it has " +
                                      std::to_string(replicasOf(placement, saved.fragment)) +
                                      ", or they lie on other ranks");
    }
  }
}

}  // namespace

void refuseOtherPlacement(const checkpoint::Found& found, const std::string& how) {
  refuse(found,
         how + "; a resumed run keeps its placement (leave -n, --replicas and --policy out)");
}

Options resumedOptions(Options options, const checkpoint::Found& found) {
  const checkpoint::RunDescription& run = found.record.run;
  if (options.plan.empty()) {
    options.plan = run.plan;
  }
  if (!isGiven(options, "--policy")) {
    options.policy = found.folder + "/policy.yaml";
  }
  if (!isGiven(options, "-n") && !isGiven(options, "--replicas")) {
    options.ranks = run.ranks;
    options.replicas = run.replicas;
  }
  if (!isGiven(options, "--window")) {
    options.window = run.window;
  }
  if (!isGiven(options, "--carrier")) {
    options.force_mpi = run.force_mpi;
  }
  if (!isGiven(options, "--out")) {
    options.out = run.out;
  }
  if (!isGiven(options, "--every")) {
    options.every = run.every;
  }
  if (!isGiven(options, "--checkpoint")) {
    options.checkpoint = std::filesystem::path(found.folder).parent_path().string();
  }
  if (isGiven(options, "--seed") && options.seed != run.seed) {
    refuse(found, "its seed is " + std::to_string(run.seed) + ", the call says " +
                      std::to_string(options.seed) + "; leave --seed out");
  }
  options.seed = run.seed;
  options.resume = found.folder;
  return options;
}

std::vector<std::string> keptConfig(const checkpoint::Found& found) {
  std::vector<std::string> sets;
  for (const auto& [name, value] : found.record.run.config) {
    sets.push_back(name + "=" + value);
  }
  return sets;
}

void checkSamePlan(const checkpoint::Found& found, const Options& options,
                   const Manifest& manifest) {
  if (found.record.program != manifest.program) {
    refuse(found, "it belongs to the program " + found.record.program + ", the plan " +
                      options.plan + " is of " + manifest.program);
  }
  if (found.record.manifest_hash != hashOf(manifest)) {
    refuse(found, "the plan " + options.plan +
                      " was built from another source, or by another fdgc, than the one that made "
                      "it; only the same plan can go on");
  }
}

void checkSameRun(const checkpoint::Found& found, const place::Placement& placement,
                  const ConfigValues& config) {
  for (const auto& [name, value] : config) {
    const auto saved = std::ranges::find(found.record.run.config, name,
                                         [](const auto& field) { return field.first; });
    if (saved != found.record.run.config.end() && saved->second != value) {
      refuse(found, "its " + name + " is " + saved->second + ", the call says " + value +
                        "; a resumed run keeps its config");
    }
  }
  checkSamePlacement(found, placement);
}

void checkKeepable(const Manifest& manifest) {
  bool any = false;
  for (const LoopInfo& loop : manifest.loops) {
    const bool counts = loop.parent < 0 && loop.has_boundary;
    any = any || counts;
    if (counts && !loop.resumable.holds) {
      throw UserError("--checkpoint: " + manifest.program + " cannot be kept: " +
                      loop.resumable.reason);
    }
  }
  if (!any) {
    throw UserError("--checkpoint: " + manifest.program +
                    " has no loop that boundaries cross, so there is no place to save it at");
  }
}

uint64_t hashOf(const Manifest& manifest) {
  const std::string text = writeManifest(manifest);
  value::Hasher hasher;
  hasher.bytes(text.data(), text.size());
  return hasher.value();
}

checkpoint::RunDescription describeRun(const Options& options, const place::Policy& policy,
                                       const place::Placement& placement, const std::string& folder,
                                       ConfigValues config) {
  checkpoint::RunDescription run;
  run.plan = std::filesystem::absolute(options.plan).string();
  run.policy = contentOf(policy.file).value_or("");
  run.out = std::filesystem::absolute(folder).string();
  run.seed = options.seed;
  run.ranks = placement.ranks;
  run.replicas = options.replicas;
  run.window = options.window;
  run.force_mpi = options.force_mpi;
  run.every = options.every;
  run.config = std::move(config);
  return run;
}

}  // namespace fdg
