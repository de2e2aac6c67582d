#include "compiler/emit/Facts.h"

#include "base/TypeText.h"
#include "compiler/emit/GraphText.h"

namespace fdg::compiler {
std::vector<FactLine> factsOf(const FragmentInfo& fragment) {
  std::vector<FactLine> facts = {
      {"replicable", fragment.replicable.holds, fragment.replicable.reason}};
  if (fragment.replicable.holds && fragment.approximate) {
    facts.back().reason = "approximately: " + fragment.approximate_reason;
  }
  facts.push_back({"fusable", fragment.fusable.holds, fragment.fusable.reason});
  return facts;
}

std::vector<FactLine> factsOf(const BoundaryInfo& boundary) {
  if (boundary.implicit) {
    return {};
  }
  std::vector<FactLine> facts = {
      {"drainable", boundary.drainable.holds, boundary.drainable.reason},
      {"newest-able", boundary.newest_able.holds, boundary.newest_able.reason}};
  if (boundary.drainable.holds) {
    facts.push_back({"callable", boundary.callable.holds, boundary.callable.reason});
  }
  facts.push_back({"held", boundary.held,
                   boundary.held ? "a received value outlives its iteration"
                                 : "what is received is used up in its iteration"});
  return facts;
}

std::string valuesText(const BoundaryInfo& boundary) {
  std::string text;
  for (size_t i = 0; i < boundary.values.size(); ++i) {
    text += (text.empty() ? "" : ", ") + boundary.values[i];
    text += i < boundary.types.size() ? " (" + shortType(boundary.types[i]) + ")" : "";
  }
  return text.empty() ? boundary.name : text;
}

std::string operationText(const BoundaryInfo& boundary) {
  return boundary.implicit
             ? "outcome of a condition"
             : std::string(operationName(boundary.operation)) + (boundary.loose ? ".loose()" : "");
}

std::string routeText(const Manifest& manifest, const BoundaryInfo& boundary) {
  return fragmentNames(manifest, {boundary.producer}) + " → " +
         fragmentNames(manifest, boundary.consumers);
}

std::string colourOf(int fragment) {
  constexpr const char* kColours[] = {"#1f5fa8", "#a4500b", "#2b7038", "#6d3fa0",
                                      "#a8324a", "#0f6b70", "#6a6300", "#4a5568"};
  return kColours[static_cast<size_t>(fragment) % std::size(kColours)];
}

}  // namespace fdg::compiler
