#include "runtime/Verifiable.h"

#include "base/Check.h"

namespace fdg {

void checkVerifiable(const Options& options, const place::Policy& policy, const Manifest& manifest,
                     const place::Placement& placement) {
  if (options.verify == 0) {
    return;
  }
  const std::string start = "--verify compares with the sequential run, but under policy " +
                            (policy.name.empty() ? options.policy : policy.name) +
                            " ";
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    if (placement.boundaries[static_cast<size_t>(boundary.id)].mode != place::Mode::ordered) {
      throw UserError(start + "boundary " + boundary.name +
                      " is not ordered, so the result depends on timing; verify a policy whose "
                      "boundaries are all ordered, such as dp-a");
    }
  }
  for (const place::Instance& instance : placement.instances) {
    if (instance.device != "cpu") {
      throw UserError(start + "there are fragments on a GPU (" + instance.device +
                      "), whose sums differ in the last bits; verify with device: cpu");
    }
    for (const int id : instance.fragments) {
      const FragmentInfo& fragment = manifest.fragments[static_cast<size_t>(id)];
      if (fragment.approximate && instance.replicas.count > 1) {
        throw UserError(
            start + "fragment " + fragment.name + " has " +
            std::to_string(instance.replicas.count) +
            " replicas, which together are not the same as one: " + fragment.approximate_reason);
      }
    }
  }
}

}  // namespace fdg
