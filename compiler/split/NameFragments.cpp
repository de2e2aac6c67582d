#include "compiler/split/NameFragments.h"

#include <algorithm>
#include <set>

#include "compiler/split/FreeValues.h"

namespace fdg::compiler {
namespace {

/// Roles joined with `+`; without one, the names of the variables.
std::string baseName(const Assignment& assignment, int fragment) {
  std::vector<std::string> roles, variables;
  for (const Component& component : assignment.components) {
    if (component.fragment != fragment) {
      continue;
    }
    auto& list = component.role.empty() ? variables : roles;
    const std::string& name =
        component.role.empty() ? component.variable->getNameAsString() : component.role;
    if (std::find(list.begin(), list.end(), name) == list.end()) {
      list.push_back(name);
    }
  }
  std::string joined;
  for (const std::string& name : roles.empty() ? variables : roles) {
    joined += (joined.empty() ? "" : "+") + name;
  }
  return joined.empty() ? "program" : joined;
}

}  // namespace

void nameFragments(const Graph& graph, const std::function<int(int)>& group_of,
                   Assignment& assignment) {
  std::map<int, int> number;  // group → fragment
  const auto numbered = [&](int element) {
    return number.emplace(group_of(element), static_cast<int>(number.size())).first->second;
  };
  for (int n = 0; n < assignment.nodes; ++n) {
    if (assignment.share[static_cast<size_t>(n)] == Share::owned) {
      assignment.fragment[static_cast<size_t>(n)] = numbered(n);
    }
    for (size_t v = 0; v < assignment.values.size(); ++v) {
      CommonValue& value = assignment.values[v];
      if (value.node == n) {
        value.producer = numbered(assignment.elementOfValue(v));
        value.is_free = isFreeValue(graph, assignment, value);
      }
    }
  }
  for (Component& component : assignment.components) {
    component.fragment = numbered(component.element);
  }
  if (number.empty()) {
    number.emplace(0, 0);  // a program that does nothing is a fragment that does nothing
  }
  std::set<std::string> taken;
  for (int f = 0; f < static_cast<int>(number.size()); ++f) {
    const std::string base = baseName(assignment, f);
    std::string name = base;
    for (int i = 2; !taken.insert(name).second; ++i) {
      name = base + std::to_string(i);
    }
    assignment.names.push_back(name);
  }
}

}  // namespace fdg::compiler
