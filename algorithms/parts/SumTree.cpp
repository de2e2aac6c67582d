#include "algorithms/parts/SumTree.h"

#include <algorithm>
#include <array>

#include "algorithms/parts/TreeKernels.h"

namespace fdg::rl {
namespace {

/// Of each leaf its group, neighbours in one group together, behind what is there.
template <int64_t kArity>
void appendGroups(std::span<const int64_t> leaves, std::vector<int64_t>& groups) {
  for (const int64_t leaf : leaves) {
    const int64_t group = leaf / kArity;
    if (groups.empty() || groups.back() != group) {
      groups.push_back(group);
    }
  }
}

}  // namespace

template <int64_t kArity>
KaryTreeOf<kArity>::KaryTreeOf(int64_t leaves, Fold fold) : leaves_(leaves), fold_(fold) {
  int64_t size = leaves;
  do {
    const int64_t groups = (size + kChildren - 1) / kChildren;
    levels_.emplace_back(static_cast<size_t>(groups * kChildren));
    size = groups;
  } while (size > 1);
  levels_.emplace_back(1);
}

template <int64_t kArity>
void KaryTreeOf<kArity>::prefetch(int64_t leaf) const {
  prefetchGroup<kArity>(levels_.front().data() + leaf / kArity * kArity);
}

template <int64_t kArity>
void KaryTreeOf<kArity>::write(std::span<const int64_t> leaves, std::span<const double> values) {
  PagedVector<double>& level = levels_.front();
  for (size_t i = 0; i < leaves.size(); ++i) {
    std::atomic_ref<double>(level[static_cast<size_t>(leaves[i])])
        .store(values[i], std::memory_order_relaxed);
  }
}

template <int64_t kArity>
void KaryTreeOf<kArity>::set(std::span<const int64_t> leaves, std::span<const double> values) {
  settle();
  for (const int64_t leaf : leaves) {
    prefetch(leaf);
  }
  write(leaves, values);
  thread_local std::vector<int64_t> groups;
  groups.clear();
  appendGroups<kArity>(leaves, groups);
  foldAbove(groups);
}

template <int64_t kArity>
void KaryTreeOf<kArity>::setLater(std::span<const int64_t> leaves, std::span<const double> values) {
  constexpr size_t kMost = 4096;  // more would be work for later that no longer fits the caches
  write(leaves, values);
  appendGroups<kArity>(leaves, unsettled_);
  if (unsettled_.size() > kMost) {
    settle();
  }
}

template <int64_t kArity>
void KaryTreeOf<kArity>::settle() {
  foldAbove(unsettled_);
  unsettled_.clear();
}

template <int64_t kArity>
void KaryTreeOf<kArity>::foldAbove(std::vector<int64_t>& groups) {
  for (size_t l = 1; l < levels_.size() && !groups.empty(); ++l) {
    foldLevel(l, groups);
  }
}

template <int64_t kArity>
void KaryTreeOf<kArity>::foldLevel(size_t l, std::vector<int64_t>& groups) {
  const PagedVector<double>& below = levels_[l - 1];
  PagedVector<double>& level = levels_[l];
  const size_t all = below.size() / static_cast<size_t>(kArity);
  if (all <= groups.size()) {  // fewer than the groups named: each once
    groups.resize(all);
    for (size_t g = 0; g < all; ++g) {
      groups[g] = static_cast<int64_t>(g);
    }
  }
  const size_t changed =
      treeKernels<kArity>().fold(fold_, below.data(), groups.data(), groups.size(), level.data());
  groups.resize(changed);
}

template <int64_t kArity>
int64_t KaryTreeOf<kArity>::find(double mass) const {
  int64_t leaf = 0;
  find({&mass, 1}, {&leaf, 1});
  return leaf;
}

template <int64_t kArity>
void KaryTreeOf<kArity>::find(std::span<const double> masses, std::span<int64_t> leaves) const {
  constexpr size_t kTogether = 32;
  const TreeKernels& kernels = treeKernels<kArity>();
  for (size_t first = 0; first < masses.size(); first += kTogether) {
    const size_t count = std::min(kTogether, masses.size() - first);
    std::array<double, kTogether> rest;
    std::copy_n(masses.data() + first, count, rest.data());
    int64_t* at = leaves.data() + first;
    std::fill_n(at, count, 0);
    for (size_t l = levels_.size() - 1; l-- > 0;) {
      kernels.descend(levels_[l].data(), l > 0 ? levels_[l - 1].data() : nullptr, count,
                      rest.data(), at);
    }
  }
}

template class KaryTreeOf<2>;
template class KaryTreeOf<4>;
template class KaryTreeOf<8>;
template class KaryTreeOf<16>;
template class KaryTreeOf<32>;
template class KaryTreeOf<64>;

}  // namespace fdg::rl
