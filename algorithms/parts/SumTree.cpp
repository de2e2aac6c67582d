#include "algorithms/parts/SumTree.h"

#include <algorithm>
#include <array>

namespace fdg::rl {
namespace {

constexpr auto kWidth = static_cast<size_t>(KaryTree::kChildren);

/// By halves: the upper onto the lower, until one is left. Always in this order.
template <class Join>
double byHalves(const double* group, Join join) {
  std::array<double, kWidth / 2> left;
  for (size_t c = 0; c < kWidth / 2; ++c) {
    left[c] = join(group[c], group[c + kWidth / 2]);
  }
  for (size_t half = kWidth / 4; half > 0; half /= 2) {
    for (size_t c = 0; c < half; ++c) {
      left[c] = join(left[c], left[c + half]);
    }
  }
  return left[0];
}

double foldGroup(Fold fold, const double* group) {
  return fold == Fold::sum ? byHalves(group, [](double a, double b) { return a + b; })
                           : byHalves(group, [](double a, double b) { return a < b ? b : a; });
}

/// A way down a sum tree.
struct Descent {
  double mass;
  size_t at = 0;

  /// To the child where the running sum passes the mass, or the last that is not 0. Without
  /// branches that depend on the values, so that several descents overlap.
  void step(const double* level) {
    const double* group = level + at * kWidth;
    std::array<double, kWidth> sums;  // up to and with each child
    double sum = 0;
    for (size_t c = 0; c < kWidth; ++c) {
      sum += group[c];
      sums[c] = sum;
    }
    int64_t passed = 0;
    for (const double up_to : sums) {
      passed += up_to <= mass ? 1 : 0;
    }
    auto chosen = static_cast<size_t>(passed);
    double before = chosen == 0 ? 0 : sums[chosen - 1];
    if (chosen == kWidth) {
      lastFilled(group, chosen, before);
    }
    mass -= before;
    at = at * kWidth + chosen;
  }

 private:
  static void lastFilled(const double* group, size_t& chosen, double& before) {
    double sum = 0;
    chosen = 0;
    before = 0;
    for (size_t c = 0; c < kWidth; ++c) {
      if (group[c] > 0) {
        chosen = c;
        before = sum;
        sum += group[c];
      }
    }
  }
};

/// A group of siblings is two cache lines.
void prefetch(const double* group) {
  __builtin_prefetch(group);
  __builtin_prefetch(group + kWidth / 2);
}

}  // namespace

KaryTree::KaryTree(int64_t leaves, Fold fold) : leaves_(leaves), fold_(fold) {
  int64_t size = leaves;
  do {
    const int64_t groups = (size + kChildren - 1) / kChildren;
    levels_.emplace_back(static_cast<size_t>(groups * kChildren));
    size = groups;
  } while (size > 1);
  levels_.emplace_back(1);
}

void KaryTree::set(std::span<const int64_t> leaves, std::span<const double> values) {
  std::vector<double>& level = levels_.front();
  for (const int64_t leaf : leaves) {
    prefetch(level.data() + static_cast<size_t>(leaf) / kWidth * kWidth);
  }
  for (size_t i = 0; i < leaves.size(); ++i) {
    level[static_cast<size_t>(leaves[i])] = values[i];
  }
  for (size_t l = 1; l < levels_.size(); ++l) {
    foldLevel(l, leaves);
  }
}

void KaryTree::foldLevel(size_t l, std::span<const int64_t> leaves) {
  const std::vector<double>& below = levels_[l - 1];
  std::vector<double>& level = levels_[l];
  const size_t groups = below.size() / kWidth;
  if (groups <= leaves.size()) {  // fewer than the leaves' own
    for (size_t g = 0; g < groups; ++g) {
      level[g] = foldGroup(fold_, below.data() + g * kWidth);
    }
    return;
  }
  size_t covered = kWidth;  // leaves below a value of this level
  for (size_t i = 1; i < l; ++i) {
    covered *= kWidth;
  }
  size_t last = groups;
  for (const int64_t leaf : leaves) {
    const size_t g = static_cast<size_t>(leaf) / covered;
    if (g != last) {
      level[g] = foldGroup(fold_, below.data() + g * kWidth);
      last = g;
    }
  }
}

int64_t KaryTree::find(double mass) const {
  int64_t leaf = 0;
  find({&mass, 1}, {&leaf, 1});
  return leaf;
}

void KaryTree::find(std::span<const double> masses, std::span<int64_t> leaves) const {
  constexpr size_t kTogether = 64;
  std::array<Descent, kTogether> descents;
  for (size_t first = 0; first < masses.size(); first += kTogether) {
    const size_t count = std::min(kTogether, masses.size() - first);
    for (size_t i = 0; i < count; ++i) {
      descents[i] = {masses[first + i]};
    }
    for (size_t l = levels_.size() - 1; l-- > 0;) {
      for (size_t i = 0; i < count; ++i) {
        descents[i].step(levels_[l].data());
        if (l > 0) {
          prefetch(levels_[l - 1].data() + descents[i].at * kWidth);
        }
      }
    }
    for (size_t i = 0; i < count; ++i) {
      leaves[first + i] = static_cast<int64_t>(descents[i].at);
    }
  }
}

}  // namespace fdg::rl
