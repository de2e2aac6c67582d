#include <algorithm>

#include "base/NearestName.h"
#include "base/TextTable.h"
#include "base/TypeText.h"
#include "runtime/place/Explain.h"

namespace fdg::place {
namespace {

constexpr size_t kWidth = 92;

std::string joined(const std::vector<std::string>& names, const char* empty = "–") {
  std::string text;
  for (const auto& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? empty : text;
}

std::string fragmentNames(const Manifest& plan, const std::vector<int>& ids) {
  std::vector<std::string> names;
  for (const int id : ids) {
    names.push_back(plan.fragments[static_cast<size_t>(id)].name);
  }
  return joined(names);
}

/// Ascending line numbers as "12–15, 18".
std::string lineRanges(const std::vector<int>& lines) {
  std::vector<std::string> ranges;
  for (size_t i = 0; i < lines.size();) {
    size_t end = i + 1;
    while (end < lines.size() && lines[end] == lines[end - 1] + 1) {
      ++end;
    }
    ranges.push_back(std::to_string(lines[i]) +
                     (end - i > 1 ? "–" + std::to_string(lines[end - 1]) : std::string()));
    i = end;
  }
  return joined(ranges);
}

std::string reasonLine(const std::string& what, const std::string& reason) {
  return "    " + wrapText(what + (reason.empty() ? "" : ": " + reason), kWidth, "      ") + "\n";
}

std::string fragmentSection(const Manifest& plan) {
  TextTable table({"fragment", "roles", "components", "replicas", "fusable", "lines"});
  std::string reasons;
  for (const auto& fragment : plan.fragments) {
    const std::string replicas = !fragment.replicable.holds ? "one only"
                                 : fragment.approximate     ? "approximate"
                                                            : "any number";
    table.row({fragment.name, joined(fragment.roles), joined(fragment.components), replicas,
               fragment.fusable.holds ? "yes" : "no", lineRanges(fragment.lines)});
    if (!fragment.replicable.holds) {
      reasons += reasonLine(fragment.name + " cannot be replicated", fragment.replicable.reason);
    } else if (fragment.approximate) {
      reasons += reasonLine(fragment.name + ", replicated, is not the same as one",
                            fragment.approximate_reason);
    }
    if (!fragment.fusable.holds) {
      reasons += reasonLine("replicas of " + fragment.name + " on one rank cannot fuse",
                            fragment.fusable.reason);
    }
  }
  return "Fragments\n" + table.text() + (reasons.empty() ? "" : "\n" + reasons);
}

std::string modesOf(const BoundaryInfo& boundary) {
  if (boundary.implicit) {
    return "ordered (choice)";
  }
  std::vector<std::string> modes = {"ordered"};
  if (boundary.loose && boundary.drainable.holds) {
    modes.emplace_back("drain");
  }
  if (boundary.loose && boundary.newest_able.holds) {
    modes.emplace_back("newest");
  }
  if (boundary.loose && boundary.callable.holds) {
    modes.emplace_back("inline");
  }
  return joined(modes);
}

std::string valuesOf(const BoundaryInfo& boundary) {
  if (boundary.implicit) {
    return "outcome of a condition";
  }
  std::vector<std::string> values;
  for (size_t i = 0; i < boundary.values.size() && i < boundary.types.size(); ++i) {
    values.push_back(boundary.values[i] + " (" + shortType(boundary.types[i]) + ")");
  }
  return joined(values);
}

std::string boundarySection(const Manifest& plan) {
  TextTable table({"boundary", "values", "operation", ">line", "from", "to", "modes", "held"});
  std::string reasons;
  for (const auto& boundary : plan.boundaries) {
    table.row(
        {boundary.name, valuesOf(boundary),
         boundary.implicit
             ? "–"
             : std::string(operationName(boundary.operation)) + (boundary.loose ? ", loose" : ""),
         std::to_string(boundary.line), fragmentNames(plan, {boundary.producer}),
         fragmentNames(plan, boundary.consumers), modesOf(boundary), boundary.held ? "yes" : "no"});
    if (boundary.loose && !boundary.drainable.holds) {
      reasons += reasonLine(boundary.name + " cannot be drained", boundary.drainable.reason);
    }
    if (boundary.loose && !boundary.newest_able.holds) {
      reasons +=
          reasonLine(boundary.name + " cannot be read newest only", boundary.newest_able.reason);
    }
    if (boundary.loose && boundary.drainable.holds && !boundary.callable.holds) {
      reasons += reasonLine(boundary.name + " cannot be called inline", boundary.callable.reason);
    }
  }
  if (table.empty()) {
    return "Boundaries\n  none: nothing crosses\n";
  }
  return "Boundaries\n" + table.text() + (reasons.empty() ? "" : "\n" + reasons);
}

std::string rateSection(const Manifest& plan) {
  if (plan.rate_classes.size() < 2) {
    return "Rates\n  All fragments run at one rate: no boundary that a policy could loosen "
           "separates them.\n";
  }
  std::string text =
      "Rates\n  These can run at different rates, if a policy loosens the boundaries named:\n";
  for (const auto& rate_class : plan.rate_classes) {
    text += "  {" + fragmentNames(plan, rate_class.fragments) + "}" +
            (rate_class.loosen.empty() ? "" : "  loosen " + listNames(rate_class.loosen)) + "\n";
  }
  return text;
}

std::string checkpointSection(const Manifest& plan) {
  std::string text;
  for (const LoopInfo& loop : plan.loops) {
    if (loop.parent >= 0 || !loop.has_boundary) {
      continue;
    }
    const std::string where = "the loop at line " + std::to_string(loop.line);
    text += loop.resumable.holds ? "  at the head of " + where + "\n"
                                 : reasonLine("not in " + where, loop.resumable.reason);
  }
  return "Checkpoints\n" + (text.empty() ? "  none: no loop that boundaries cross\n" : text);
}

std::string configSection(const Manifest& plan) {
  if (plan.config.empty()) {
    return "Config\n  no fields\n";
  }
  TextTable table({"field", "type", "default", "about"});
  for (const auto& field : plan.config) {
    const bool assigned = field.default_text.starts_with("= ");
    table.row({field.name, field.type, assigned ? field.default_text.substr(2) : field.default_text,
               field.about});
  }
  return "Config (--set FIELD=VALUE, or --config FILE.yaml)\n" + table.text();
}

}  // namespace

std::string explainPlan(const Manifest& plan) {
  return "Program " + plan.program + " from " + plan.source + ", compiled by " + plan.compiler +
         " for LibTorch " + plan.torch_version + "\n\n" + fragmentSection(plan) + "\n" +
         boundarySection(plan) + "\n" + rateSection(plan) + "\n" + checkpointSection(plan) + "\n" +
         configSection(plan);
}

}  // namespace fdg::place
