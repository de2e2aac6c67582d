#include "runtime/Call.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/Check.h"
#include "runtime/ConfigFile.h"
#include "runtime/FolderLock.h"
#include "runtime/Job.h"
#include "runtime/LoadCuda.h"
#include "runtime/PlanFile.h"
#include "runtime/Resume.h"
#include "runtime/place/Cluster.h"
#include "runtime/place/Devices.h"

namespace fdg {
namespace {

std::vector<std::string> policyFolders() {
  std::vector<std::string> folders = {"policies"};
  if (const char* more = std::getenv("FDG_POLICIES"); more != nullptr) {
    folders.emplace_back(more);
  }
  const std::filesystem::path bin = std::filesystem::path(executable()).parent_path();
  for (const char* relative : {"../share/fdg/policies", "../policies", "../../policies"}) {
    folders.push_back((bin / relative).lexically_normal().string());
  }
  return folders;
}

place::Policy readPolicyFor(const Options& options,
                            const std::optional<checkpoint::Found>& resume) {
  place::Policy policy = place::findPolicy(options.policy, policyFolders()).orThrow();
  policy.fill_replicas = options.replicas;
  const bool fills = std::ranges::any_of(policy.groups, [](const auto& group) {
    return group.count_kind == place::ReplicaCount::fill;
  });
  if (options.replicas && !fills) {
    const std::string why = "--replicas " + std::to_string(*options.replicas) + ": policy " +
                            options.policy + " has no group with replicas: fill";
    if (resume) {
      refuseOtherPlacement(*resume, why);
    }
    throw UserError(why);
  }
  if (options.window) {
    place::Rule rule;
    rule.selector = "default";
    rule.window = options.window;
    policy.rules.push_back(rule);
  }
  return policy;
}

}  // namespace

std::string executable() {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown).string();
}

Call readCall(Options options) {
  Call call;
  if (!options.resume.empty()) {
    if (!options.worker && rankInJob() <= 0) {
      awaitRanks(options.resume, "--checkpoint");  // they may still remove what is found
    }
    call.resume = checkpoint::findCheckpoint(options.resume).orThrow();
    options = resumedOptions(std::move(options), *call.resume);
  }
  call.manifest = readPlanManifest(options.plan).orThrow();
  if (call.resume) {
    checkSamePlan(*call.resume, options, call.manifest);
  }
  call.policy = readPolicyFor(options, call.resume);
  if (!options.dry_run && std::ranges::any_of(call.policy.groups, place::wantsGpu) &&
      place::thisMachine(0).nodes.front().gpus > 0) {
    loadCuda();
  }
  call.code = loadPlan(options.plan, call.manifest).orThrow();
  call.config = Config(call.code->make_config(), call.code->free_config);
  call.options = std::move(options);
  if (call.resume) {
    applyConfig(call.visit(), call.manifest, "", keptConfig(*call.resume));
  }
  applyConfig(call.visit(), call.manifest, call.options.config, call.options.sets);
  return call;
}

}  // namespace fdg
