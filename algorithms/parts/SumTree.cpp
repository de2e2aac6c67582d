#include "algorithms/parts/SumTree.h"

#include <algorithm>

namespace fdg::rl {

KaryTree::KaryTree(int64_t leaves, Fold fold) : leaves_(leaves), fold_(fold) {
  int64_t size = leaves;
  do {
    const int64_t groups = (size + kChildren - 1) / kChildren;
    levels_.emplace_back(static_cast<size_t>(groups * kChildren));
    size = groups;
  } while (size > 1);
  levels_.emplace_back(1);
}

double KaryTree::foldGroup(const std::vector<double>& level, size_t first) const {
  double result = level[first];
  for (size_t c = 1; c < static_cast<size_t>(kChildren); ++c) {
    result = fold_ == Fold::sum ? result + level[first + c] : std::max(result, level[first + c]);
  }
  return result;
}

void KaryTree::set(int64_t leaf, double value) {
  auto at = static_cast<size_t>(leaf);
  levels_.front()[at] = value;
  for (size_t l = 0; l + 1 < levels_.size(); ++l) {
    const size_t parent = at / static_cast<size_t>(kChildren);
    levels_[l + 1][parent] = foldGroup(levels_[l], parent * static_cast<size_t>(kChildren));
    at = parent;
  }
}

int64_t KaryTree::find(double mass) const {
  size_t at = 0;
  for (size_t l = levels_.size() - 1; l-- > 0;) {
    const std::vector<double>& level = levels_[l];
    const size_t first = at * static_cast<size_t>(kChildren);
    size_t chosen = first;
    double before = 0;  // sum left of the chosen child
    double sum = 0;
    for (size_t c = first; c < first + static_cast<size_t>(kChildren); ++c) {
      if (level[c] > 0) {
        chosen = c;
        before = sum;
        sum += level[c];
        if (mass < sum) {
          break;
        }
      }
    }
    mass -= before;
    at = chosen;
  }
  return static_cast<int64_t>(at);
}

}  // namespace fdg::rl
