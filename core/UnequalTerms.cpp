#include "core/UnequalTerms.h"

#include <algorithm>
#include <sstream>

#include "fdg/terms.h"

namespace fdg::value {
namespace {

constexpr int kMostNamed = 4;

/// What each term is, where they differ: how many tensors, else the first tensor that differs.
std::vector<std::string> differing(std::span<const std::vector<std::string>> terms) {
  std::vector<std::string> what;
  const bool same_count = std::ranges::all_of(
      terms, [&](const auto& term) { return term.size() == terms.front().size(); });
  for (size_t i = 0; same_count && i < terms.front().size(); ++i) {
    what.clear();
    for (const auto& term : terms) {
      what.push_back(term[i]);
    }
    if (std::ranges::count(what, what.front()) != std::ssize(what)) {
      return what;
    }
  }
  what.clear();
  for (const auto& term : terms) {
    what.push_back(std::to_string(term.size()) + " tensors");
  }
  return what;
}

}  // namespace

std::string shapeText(at::ScalarType type, at::IntArrayRef sizes) {
  std::ostringstream text;
  text << c10::toString(type) << " [";
  for (size_t i = 0; i < sizes.size(); ++i) {
    text << (i == 0 ? "" : ", ") << sizes[i];
  }
  text << "]";
  return text.str();
}

std::string shapeText(const at::Tensor& tensor) {
  if (!tensor.defined()) {
    return "nothing";
  }
  return shapeText(tensor.scalar_type(), tensor.sizes()) +
         (tensor.layout() == at::kStrided ? "" : ", sparse");
}

void refuseUnequalTerms(std::span<const std::vector<std::string>> terms) {
  const std::vector<std::string> what = differing(terms);
  const std::string& common = *std::ranges::max_element(
      what, {}, [&](const std::string& one) { return std::ranges::count(what, one); });
  std::string text = "the replicas' tensors differ in shape or dtype: ";
  int odd = 0;
  for (size_t i = 0; i < what.size(); ++i) {
    if (what[i] != common && ++odd <= kMostNamed) {
      text += "replica " + std::to_string(i) + " has " + what[i] + ", ";
    }
  }
  text += odd > kMostNamed ? std::to_string(odd - kMostNamed) + " more differ, " : "";
  const bool is_one = std::ranges::count(what, common) == 1;
  text += (is_one ? "replica " + std::to_string(std::ranges::find(what, common) - what.begin()) + " "
                  : "the others have ") +
          common;
  refuseTerm(text.c_str());
}

}  // namespace fdg::value
