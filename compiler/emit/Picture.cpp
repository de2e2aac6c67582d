#include "compiler/emit/Picture.h"

#include "base/Check.h"
#include "compiler/emit/CodeWriter.h"
#include "compiler/emit/GraphText.h"
#include "compiler/emit/RunTool.h"

namespace fdg::compiler {
namespace {

std::string node(int fragment) { return "f" + std::to_string(fragment); }

std::string edge(const BoundaryInfo& boundary, int consumer) {
  std::string label = boundary.name;
  if (!boundary.implicit) {
    label += "\\n" + std::string(operationName(boundary.operation));
  }
  const char* style = boundary.implicit ? "dotted" : boundary.loose ? "dashed" : "solid";
  return "  " + node(boundary.producer) + " -> " + node(consumer) + " [label=\"" + label +
         "\", style=" + style + ", tooltip=\"line " + std::to_string(boundary.line) + "\"];\n";
}

}  // namespace

std::string dotText(const Manifest& manifest) {
  std::string text =
      "digraph " + quoted(manifest.program) +
      " {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
      "  edge [fontname=\"sans-serif\", fontsize=10];\n";
  for (const FragmentInfo& fragment : manifest.fragments) {
    std::string components;
    for (const std::string& component : fragment.components) {
      components += (components.empty() ? "" : ", ") + component;
    }
    text += "  " + node(fragment.id) + " [label=\"" + fragment.name + "\\n" + components +
            "\", tooltip=\"lines " + lineRanges(fragment.lines) + "\"];\n";
  }
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    for (const int consumer : boundary.consumers) {
      text += edge(boundary, consumer);
    }
  }
  return text + "}\n";
}

std::string pictureSvg(const Manifest& manifest, const Toolchain& toolchain) {
  if (toolchain.dot.empty()) {
    throw UserError(
        "--emit=svg needs Graphviz: install the package graphviz and configure FDG again");
  }
  const TemporaryFolder folder;
  const ToolResult result = runTool({toolchain.dot, "-Tsvg"}, dotText(manifest), folder);
  FDG_CHECK(result.exit_code == 0, "dot refuses the picture: " + result.errors);
  return result.output;
}

}  // namespace fdg::compiler
