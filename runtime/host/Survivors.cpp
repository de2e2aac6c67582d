#include "runtime/host/Survivors.h"

#include <algorithm>

namespace fdg::host {

std::string workOf(const place::Placement& placement, int rank) {
  std::string text;
  for (const place::Instance& instance : placement.instances) {
    if (instance.rank != rank) {
      continue;
    }
    const ReplicaRange& range = instance.replicas;
    text += (text.empty() ? "" : ", ") + placement.groups[static_cast<size_t>(instance.group)];
    if (range.count > 1) {
      text += range.size() == 1 ? " replica " + std::to_string(range.first)
                                : " replicas " + std::to_string(range.first) + "–" +
                                      std::to_string(range.last - 1);
      text += " of " + std::to_string(range.count);
    }
  }
  return text.empty() ? "nothing" : text;
}

bool Survivors::isLast(int group) const {
  return std::ranges::none_of(placement_.instances, [&](const place::Instance& instance) {
    return instance.group == group && lives_[static_cast<size_t>(instance.rank)];
  });
}

Loss Survivors::lose(int rank) {
  lives_[static_cast<size_t>(rank)] = false;
  const std::string work = workOf(placement_, rank);
  if (!placement_.may_die[static_cast<size_t>(rank)]) {
    return {true, " has died, and the run cannot go on without it: it ran " + work +
                      (rank == 0 ? " and kept the log" : "")};
  }
  for (const place::Instance& instance : placement_.instances) {
    if (instance.rank == rank && isLast(instance.group)) {
      return {true, " has died, which ran " + work + ", and nobody of group " +
                        placement_.groups[static_cast<size_t>(instance.group)] + " is left"};
    }
  }
  return {false, " has died; the run goes on without " + work};
}

int Survivors::first() const {
  return static_cast<int>(std::ranges::find(lives_, true) - lives_.begin());
}

}  // namespace fdg::host
