#include "base/NearestName.h"

#include <algorithm>

namespace fdg {
namespace {

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearestName(std::string_view wanted, const std::vector<std::string>& known) {
  // A name as long as a sentence is no slip of the finger, and its distance would cost time.
  if (wanted.size() > 200) {
    return {};
  }
  std::string best;
  size_t least = std::max<size_t>(2, wanted.size() / 2);
  for (const auto& name : known) {
    const size_t distance = editDistance(wanted, name);
    if (distance < least || (distance == least && best.empty())) {
      least = distance;
      best = name;
    }
  }
  return best;
}

std::string didYouMean(std::string_view wanted, const std::vector<std::string>& known) {
  const std::string nearest = nearestName(wanted, known);
  return nearest.empty() ? std::string() : "; did you mean " + nearest + "?";
}

std::string listNames(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + names[i];
  }
  return text;
}

}  // namespace fdg
