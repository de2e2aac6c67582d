#include "compiler/emit/GraphText.h"

namespace fdg::compiler {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

void addFact(std::string& text, const char* name, const Fact& fact) {
  text += std::string("  ") + name + ": " + (fact.holds ? "yes" : "no");
  text += fact.reason.empty() ? "\n" : ", " + fact.reason + "\n";
}

std::string fragmentText(const FragmentInfo& fragment) {
  std::string text = "fragment " + fragment.name + ": " +
                     (fragment.components.empty() ? "no components"
                                                  : "components " + joined(fragment.components)) +
                     "; lines " + lineRanges(fragment.lines) + "\n";
  addFact(text, "replicable", fragment.replicable);
  if (fragment.approximate) {
    text += "  approximate: " + fragment.approximate_reason + "\n";
  }
  addFact(text, "fusable", fragment.fusable);
  return text;
}

std::string boundaryText(const Manifest& manifest, const BoundaryInfo& boundary) {
  const std::string producer = fragmentNames(manifest, {boundary.producer});
  std::string text = (boundary.implicit ? "choice " : "boundary ") + boundary.name + ": ";
  if (!boundary.implicit) {
    text += std::string(operationName(boundary.operation)) + (boundary.loose ? ".loose " : " ");
  }
  text += producer + " -> " + fragmentNames(manifest, boundary.consumers) + "; line " +
          std::to_string(boundary.line);
  text += boundary.loops.empty() ? "; once" : "; in loops";
  for (const int loop : boundary.loops) {
    text += " " + std::to_string(loop);
  }
  text += boundary.conditional ? "; conditional\n" : "\n";
  if (boundary.only_for_drain >= 0) {
    text += "  only when " +
            manifest.boundaries[static_cast<size_t>(boundary.only_for_drain)].name +
            " is not drained\n";
  }
  if (boundary.implicit) {
    return text;
  }
  std::vector<std::string> values;
  for (size_t i = 0; i < boundary.values.size() && i < boundary.types.size(); ++i) {
    values.push_back(boundary.values[i] + " (" + boundary.types[i] + ")");
  }
  text += "  values: " + joined(values) + "\n";
  if (boundary.loose) {
    addFact(text, "drainable", boundary.drainable);
    addFact(text, "newest-able", boundary.newest_able);
    if (boundary.drainable.holds) {
      addFact(text, "callable", boundary.callable);
    }
  }
  text += boundary.producer_needs_result ? "  the producer reads the result\n" : "";
  text += boundary.held ? "  held\n" : "";
  return text;
}

/// What a checkpoint keeps at the loop's head.
std::string keptText(const Manifest& manifest, const LoopInfo& loop) {
  std::string text;
  for (size_t i = 0; i < loop.fragments.size(); ++i) {
    text += "  " + fragmentNames(manifest, {loop.fragments[i]}) + " carries " +
            (loop.carries[i].empty() ? "nothing" : joined(loop.carries[i])) + "\n";
  }
  return text + (loop.resumable.holds ? "" : "  no checkpoints: " + loop.resumable.reason + "\n");
}

}  // namespace

std::string lineRanges(const std::vector<int>& lines) {
  std::string text;
  for (size_t i = 0; i < lines.size();) {
    size_t last = i;
    while (last + 1 < lines.size() && lines[last + 1] <= lines[last] + 1) {
      ++last;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(lines[i]);
    text += lines[last] == lines[i] ? "" : "-" + std::to_string(lines[last]);
    i = last + 1;
  }
  return text;
}

std::string fragmentNames(const Manifest& manifest, const std::vector<int>& fragments) {
  std::vector<std::string> names;
  for (const int fragment : fragments) {
    names.push_back(manifest.fragments[static_cast<size_t>(fragment)].name);
  }
  return joined(names);
}

std::string graphText(const Manifest& manifest) {
  std::string text = "program " + manifest.program + " in " + manifest.source + "\n";
  for (const FragmentInfo& fragment : manifest.fragments) {
    text += fragmentText(fragment);
  }
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    text += boundaryText(manifest, boundary);
  }
  for (const LoopInfo& loop : manifest.loops) {
    text += "loop " + std::to_string(loop.id) + ": line " + std::to_string(loop.line) +
            (loop.parent >= 0 ? "; in loop " + std::to_string(loop.parent) : "") +
            (loop.trip_count ? "; up to " + *loop.trip_count : "") +
            (loop.has_boundary ? "; crossed\n" : "\n");
    text += keptText(manifest, loop);
  }
  for (const RateClass& rate_class : manifest.rate_classes) {
    text += "rate class: " + fragmentNames(manifest, rate_class.fragments);
    text += rate_class.loosen.empty()
                ? "\n"
                : "; apart from the others if loosened: " + joined(rate_class.loosen) + "\n";
  }
  return text;
}

}  // namespace fdg::compiler
