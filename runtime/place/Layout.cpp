#include "runtime/place/Layout.h"

#include <algorithm>
#include <numeric>

#include "base/NearestName.h"
#include "runtime/place/Yaml.h"

namespace fdg::place {
namespace {

std::string counted(int64_t n, const std::string& thing) {
  return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

/// The j-th of `parts` even cuts of n, the remainder to the first.
std::pair<int64_t, int64_t> evenCut(int64_t n, int64_t parts, int64_t j) {
  const auto begin = [&](int64_t i) { return i * (n / parts) + std::min(i, n % parts); };
  return {begin(j), begin(j + 1)};
}

/// A group with ranks of its own, while ranks are dealt out.
struct Leader {
  size_t group = 0;
  ReplicaCount kind = ReplicaCount::number;
  int64_t replicas = 1;
  int64_t ranks = 0;
};

class Layer {
 public:
  Layer(const Policy& policy, const std::vector<std::vector<int>>& owned, const Cluster& cluster)
      : policy_(policy), owned_(owned), cluster_(cluster) {
    layout_.replicas.resize(policy.groups.size());
    layout_.on.resize(policy.groups.size());
  }

  Result<Layout> run() {
    findLeaders();
    if (std::string fault = countReplicas(); !fault.empty()) {
      return Error{fault};
    }
    if (static_cast<int64_t>(leaders_.size()) <= layout_.ranks) {
      dealRanks();
      numberRanks();
    } else {
      shareRanks();
    }
    placeFollowers();
    return std::move(layout_);
  }

 private:
  bool present(size_t group) const { return !owned_[group].empty(); }

  size_t indexOf(const std::string& name) const {
    return static_cast<size_t>(std::ranges::find(policy_.groups, name, &Group::name) -
                               policy_.groups.begin());
  }

  void findLeaders() {
    for (size_t g = 0; g < policy_.groups.size(); ++g) {
      const Group& group = policy_.groups[g];
      if (!present(g)) {
        layout_.notes.push_back("group " + group.name + " has no fragments in this plan");
        continue;
      }
      if (!group.with) {
        leaders_.push_back({.group = g, .kind = group.count_kind, .replicas = group.replicas});
      } else if (const size_t other = indexOf(*group.with); !present(other)) {
        const Group& absent = policy_.groups[other];
        const bool same = group.count_kind == ReplicaCount::same;
        leaders_.push_back({.group = g,
                            .kind = same ? absent.count_kind : group.count_kind,
                            .replicas = same ? absent.replicas : group.replicas});
      }
    }
  }

  int64_t fixedCount(ReplicaCount kind, int64_t number) const {
    switch (kind) {
      case ReplicaCount::per_core:
        return cluster_.cores();
      case ReplicaCount::per_node:
        return static_cast<int64_t>(cluster_.nodes.size());
      case ReplicaCount::per_gpu:
        return std::accumulate(cluster_.nodes.begin(), cluster_.nodes.end(), int64_t{0},
                               [](int64_t sum, const Node& node) { return sum + node.gpus; });
      default:
        return number;
    }
  }

  /// Fills in every leader's replicas and the number of ranks; a sentence if they do not fit.
  std::string countReplicas() {
    int64_t fixed = 0;
    int64_t fills = 0;
    for (Leader& leader : leaders_) {
      if (leader.kind == ReplicaCount::fill) {
        ++fills;
        continue;
      }
      leader.replicas = fixedCount(leader.kind, leader.replicas);
      fixed += leader.replicas;
    }
    const int64_t there = cluster_.ranks();
    const int64_t left = std::max(fills, there - fixed);
    int64_t next = 0;
    int64_t most = fixed;
    for (Leader& leader : leaders_) {
      if (leader.kind == ReplicaCount::fill) {
        const auto [begin, end] = evenCut(left, fills, next++);
        leader.replicas = policy_.fill_replicas.value_or(end - begin);
        most += leader.replicas;
        noteFill(leader, there, fixed);
      }
    }
    layout_.ranks = static_cast<int>(cluster_.ranks_are_fixed ? cluster_.ranks() : most);
    return layout_.ranks <= most ? std::string() : tooManyRanks(most, fills);
  }

  std::string tooManyRanks(int64_t most, int64_t fills) const {
    const std::string policy = policy_.name.empty() ? policy_.file : policy_.name;
    const std::string way_out =
        fills > 0 ? "; use -n " + std::to_string(most) + " or a larger --replicas"
                  : "; use -n " + std::to_string(most) +
                        " at most, or a policy with a group of replicas: fill, such as dp-a";
    return "policy " + policy + " has work for " + counted(most, "rank") + " and -n asks for " +
           std::to_string(layout_.ranks) + way_out;
  }

  void noteFill(const Leader& leader, int64_t there, int64_t fixed) {
    const std::string& name = policy_.groups[leader.group].name;
    const bool one_a_core = !cluster_.ranks_are_fixed && cluster_.ranks() == cluster_.cores();
    const std::string what = one_a_core ? "core" : "rank";
    layout_.notes.push_back("group " + name + " has " + counted(leader.replicas, "replica") +
                            (policy_.fill_replicas
                                 ? " as asked by --replicas"
                                 : ": what " + counted(there, what) + " leave after " +
                                       counted(fixed, "fixed replica") + ", at least 1"));
  }

  /// One rank for every leader, then one more at a time: first where fixed groups are most crowded,
  /// what is left to the fill groups.
  void dealRanks() {
    int64_t left = layout_.ranks - static_cast<int64_t>(leaders_.size());
    for (Leader& leader : leaders_) {
      leader.ranks = 1;
    }
    for (const bool fill : {false, true}) {
      while (left > 0) {
        Leader* neediest = nullptr;
        for (Leader& leader : leaders_) {
          if ((leader.kind == ReplicaCount::fill) == fill && leader.ranks < leader.replicas &&
              (neediest == nullptr ||
               leader.replicas * neediest->ranks > neediest->replicas * leader.ranks)) {
            neediest = &leader;
          }
        }
        if (neediest == nullptr) {
          break;
        }
        ++neediest->ranks;
        --left;
      }
    }
  }

  /// Ranks in policy order; a per-node group takes the last rank of every node.
  void numberRanks() {
    std::vector<bool> taken(static_cast<size_t>(layout_.ranks));
    for (const Leader& leader : leaders_) {
      if (leader.kind == ReplicaCount::per_node && cluster_.ranks_are_fixed &&
          leader.ranks == static_cast<int64_t>(cluster_.nodes.size())) {
        const std::vector<int> nodes = nodesOfRanks(cluster_, static_cast<int>(layout_.ranks));
        for (int node = 0; node < static_cast<int>(cluster_.nodes.size()); ++node) {
          int rank = static_cast<int>(layout_.ranks) - 1;
          while (rank >= 0 && (nodes[static_cast<size_t>(rank)] != node ||
                               taken[static_cast<size_t>(rank)])) {
            --rank;
          }
          if (rank >= 0) {
            taken[static_cast<size_t>(rank)] = true;
            layout_.on[leader.group].push_back(rank);
          }
        }
      }
    }
    int next = 0;
    for (const Leader& leader : leaders_) {
      auto& on = layout_.on[leader.group];
      while (static_cast<int64_t>(on.size()) < leader.ranks) {
        while (taken[static_cast<size_t>(next)]) {
          ++next;
        }
        taken[static_cast<size_t>(next)] = true;
        on.push_back(next);
      }
      std::ranges::sort(on);
      layout_.replicas[leader.group] = leader.replicas;
    }
  }

  void shareRanks() {
    const int last = layout_.ranks - 1;
    std::vector<std::string> together;
    for (size_t i = 0; i < leaders_.size(); ++i) {
      const int rank = std::min(static_cast<int>(i), last);
      layout_.on[leaders_[i].group] = {rank};
      layout_.replicas[leaders_[i].group] = leaders_[i].replicas;
      if (rank == last) {
        together.push_back(policy_.groups[leaders_[i].group].name);
      }
    }
    layout_.notes.push_back(counted(layout_.ranks, "rank") + " for " +
                            counted(static_cast<int64_t>(leaders_.size()), "group") + ": " +
                            listNames(together) + " share rank " + std::to_string(last));
  }

  void placeFollowers() {
    for (size_t g = 0; g < policy_.groups.size(); ++g) {
      if (!present(g) || !layout_.on[g].empty()) {
        continue;
      }
      const Group& group = policy_.groups[g];
      const size_t leader = indexOf(*group.with);
      layout_.on[g] = layout_.on[leader];
      const bool same =
          group.count_kind == ReplicaCount::same || group.count_kind == ReplicaCount::fill;
      layout_.replicas[g] =
          same ? layout_.replicas[leader] : fixedCount(group.count_kind, group.replicas);
    }
  }

  const Policy& policy_;
  const std::vector<std::vector<int>>& owned_;
  const Cluster& cluster_;
  std::vector<Leader> leaders_;
  Layout layout_;
};

/// Whether the replicas of a group that meet on a rank become one; notes why not where facts forbid
/// it.
bool fuses(const Manifest& plan, const Policy& policy, const Group& group,
           const std::vector<int>& fragments, std::vector<std::string>& notes) {
  if (!group.fuse.value_or(policy.fuse)) {
    return false;
  }
  for (const int id : fragments) {
    const FragmentInfo& fragment = plan.fragments[static_cast<size_t>(id)];
    if (!fragment.fusable.holds) {
      notes.push_back("replicas of group " + group.name +
                      " on one rank stay apart, because fragment " + fragment.name +
                      " cannot be fused: " + fragment.fusable.reason);
      return false;
    }
  }
  return true;
}

}  // namespace

Result<Layout> layOut(const Policy& policy, const std::vector<std::vector<int>>& owned,
                      const Cluster& cluster) {
  return Layer(policy, owned, cluster).run();
}

std::vector<Instance> makeInstances(const Manifest& plan, const Policy& policy,
                                    const std::vector<std::vector<int>>& owned, Layout& layout) {
  std::vector<Instance> instances;
  for (size_t g = 0; g < owned.size(); ++g) {
    const int64_t count = layout.replicas[g];
    const auto& on = layout.on[g];
    const auto ranks = static_cast<int64_t>(on.size());
    const bool crowded = count > ranks;
    const bool fuse = crowded && fuses(plan, policy, policy.groups[g], owned[g], layout.notes);
    const auto add = [&](int64_t first, int64_t last, int64_t slot) {
      instances.push_back({.id = static_cast<int>(instances.size()),
                           .group = static_cast<int>(g),
                           .replicas = {first, last, count},
                           .rank = on[static_cast<size_t>(slot)],
                           .device = "cpu",
                           .fragments = owned[g]});
    };
    if (!crowded) {
      for (int64_t replica = 0; replica < count; ++replica) {
        add(replica, replica + 1, replica * ranks / count);
      }
      continue;
    }
    for (int64_t slot = 0; slot < ranks; ++slot) {
      const auto [begin, end] = evenCut(count, ranks, slot);
      if (fuse) {
        add(begin, end, slot);
      } else {
        for (int64_t replica = begin; replica < end; ++replica) {
          add(replica, replica + 1, slot);
        }
      }
    }
  }
  return instances;
}

}  // namespace fdg::place
