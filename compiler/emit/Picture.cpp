#include "compiler/emit/Picture.h"

#include <algorithm>

#include "compiler/emit/Facts.h"
#include "compiler/emit/Markup.h"

namespace fdg::compiler {
namespace {

// Pixels.
constexpr int kMargin = 20;
constexpr int kGutter = 40;  // line numbers
constexpr int kGap = 26;     // between columns
constexpr int kRow = 18;
constexpr int kCrossing = 44;
constexpr int kHeader = 46;
constexpr int kTop = 56;
constexpr int kIndent = 11;
constexpr int kLetter = 63;  // tenths of a pixel: of the monospaced font at 10.5 pixels
constexpr int kNarrowest = 200;
constexpr int kWidest = 330;

constexpr const char* kStyle =
    "text { font: 10.5px ui-monospace, 'DejaVu Sans Mono', monospace; fill: #1a1f27; }\n"
    ".plain { font-family: system-ui, 'DejaVu Sans', sans-serif; font-size: 11px; }\n"
    ".title { font-size: 15px; font-weight: 600; }\n"
    ".name { font-size: 13px; font-weight: 600; fill: #fff; }\n"
    ".quiet { fill: #5b6472; }\n"
    ".copied { fill: #5b6472; font-style: italic; }\n"
    ".value { font-weight: 600; font-size: 11.5px; }\n"
    ".yes { fill: #166534; }\n"
    ".halo { paint-order: stroke; stroke: #eef2f7; stroke-width: 4px; }\n"
    ".loose { stroke-dasharray: 7 4; }\n"
    ".choice { stroke-dasharray: 2 4; }\n";

std::string px(int value) { return "\"" + std::to_string(value) + "\""; }

std::string textAt(int x, int y, const std::string& classes, const std::string& text,
                   const std::string& more = "") {
  return "<text x=" + px(x) + " y=" + px(y) + " class=\"" + classes + "\"" + more + ">" +
         escaped(text) + "</text>\n";
}

std::string box(int x, int y, int width, int height, const std::string& more) {
  return "<rect x=" + px(x) + " y=" + px(y) + " width=" + px(width) + " height=" + px(height) +
         " " + more + "/>\n";
}

int lettersIn(int pixels) { return std::max(4, pixels * 10 / kLetter); }

bool contains(const std::vector<int>& list, int item) {
  return std::ranges::find(list, item) != list.end();
}

struct Column {
  int left = 0;
  int width = 0;
  int middle() const { return left + width / 2; }
};

/// "drainable, newest-able": what a policy may do with a loose boundary.
std::string modesOf(const BoundaryInfo& boundary) {
  std::string modes;
  for (const FactLine& fact : factsOf(boundary)) {
    if (boundary.loose && fact.holds && fact.name != "held") {
      modes += (modes.empty() ? "" : ", ") + fact.name;
    }
  }
  return modes;
}

class Drawing {
 public:
  Drawing(const Manifest& manifest, const std::vector<ListedStatement>& statements)
      : manifest_(manifest), statements_(statements) {
    placeColumns();
  }

  std::string draw() {
    y_ = kTop + kHeader + 6;
    for (const ListedStatement& listed : statements_) {
      if (!listed.in_header) {
        rowsOf(listed);
      }
    }
    const int bottom = y_ + 8;
    const int height = bottom + 54;
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=" + px(width_) +
                      " height=" + px(height) + " viewBox=\"0 0 " + std::to_string(width_) + " " +
                      std::to_string(height) + "\" role=\"img\">\n<title>" +
                      escaped("Fragments of " + manifest_.program) + "</title>\n<style>\n" +
                      kStyle + "</style>\n" + box(0, 0, width_, height, "fill=\"#fff\"") +
                      textAt(kMargin, 32, "plain title", manifest_.program + " ") +
                      textAt(kMargin + 9 * static_cast<int>(manifest_.program.size()) + 14, 32,
                             "plain quiet", manifest_.source);
    for (const FragmentInfo& fragment : manifest_.fragments) {
      svg += frame(fragment, bottom);
    }
    return svg + rows_ + legend(bottom + 24) + "</svg>\n";
  }

 private:
  /// A column is as wide as its longest statement, within limits.
  void placeColumns() {
    int left = kMargin + kGutter;
    for (const FragmentInfo& fragment : manifest_.fragments) {
      int width = kNarrowest;
      for (const ListedStatement& listed : statements_) {
        if (contains(listed.fragments, fragment.id) && listed.kind != StatementKind::annotation) {
          const int letters = static_cast<int>(listed.text.size());
          width = std::max(width, listed.depth * kIndent + letters * kLetter / 10 + 20);
        }
      }
      columns_.push_back({left, std::min(width, kWidest)});
      left += columns_.back().width + kGap;
    }
    width_ = std::max(left - kGap + kMargin, 720);
  }

  const Column& column(int fragment) const { return columns_[static_cast<size_t>(fragment)]; }

  std::string frame(const FragmentInfo& fragment, int bottom) const {
    const Column& at = column(fragment.id);
    const std::string colour = colourOf(fragment.id);
    std::string components;
    for (const std::string& component : fragment.components) {
      components += (components.empty() ? "" : ", ") + component;
    }
    const std::string replicas = !fragment.replicable.holds ? "one only"
                                 : fragment.approximate     ? "replicas, approximately"
                                                            : "any number of replicas";
    std::string facts = fragment.name;
    for (const FactLine& fact : factsOf(fragment)) {
      facts += "\n" + factText(fact);
    }
    const auto letters = static_cast<size_t>(lettersIn(at.width - 20));
    return "<g><title>" + escaped(facts) + "</title>\n" +
           box(at.left, kTop, at.width, bottom - kTop,
               "rx=\"5\" fill=\"#fff\" stroke=\"" + colour + "\" stroke-width=\"1.5\"") +
           "<path d=\"M" + std::to_string(at.left) + " " + std::to_string(kTop + 24) +
           "v-19a5 5 0 0 1 5-5h" + std::to_string(at.width - 10) + "a5 5 0 0 1 5 5v19z\" fill=\"" +
           colour + "\"/>\n" +
           textAt(at.left + 10, kTop + 17, "plain name", shortened(fragment.name, letters)) +
           textAt(at.left + 10, kTop + 38, "plain quiet",
                  shortened((components.empty() ? "" : components + " · ") + replicas, letters)) +
           "</g>\n";
  }

  void rowsOf(const ListedStatement& listed) {
    if (listed.kind != StatementKind::annotation && !listed.fragments.empty()) {
      for (const int fragment : listed.fragments) {
        statement(listed, fragment);
      }
      lineNumber(listed.line, y_ + 13);
      y_ += kRow;
    }
    for (const int id : listed.boundaries) {
      crossing(manifest_.boundaries[static_cast<size_t>(id)]);
    }
  }

  void lineNumber(int line, int y) {
    rows_ +=
        textAt(kMargin + kGutter - 10, y, "quiet", std::to_string(line), " text-anchor=\"end\"");
  }

  void statement(const ListedStatement& listed, int fragment) {
    const Column& at = column(fragment);
    const int indent = std::min(listed.depth * kIndent, at.width / 2);
    const bool own = listed.kind == StatementKind::owned && listed.owner == fragment;
    const std::string shown =
        shortened(listed.text, static_cast<size_t>(lettersIn(at.width - indent - 18)));
    rows_ += "<g><title>" + escaped(listed.text) + "</title>" +
             textAt(at.left + 10 + indent, y_ + 13, own ? "own" : "copied", shown) + "</g>\n";
  }

  /// The arrow of a boundary in a band of its own, from its producer to its consumers.
  void crossing(const BoundaryInfo& boundary) {
    const int y = y_ + kCrossing / 2 + 2;
    const int from = column(boundary.producer).middle();
    int least = from;
    int most = from;
    for (const int consumer : boundary.consumers) {
      least = std::min(least, column(consumer).middle());
      most = std::max(most, column(consumer).middle());
    }
    std::string facts = valuesText(boundary) + "\n" + operationText(boundary) + ": " +
                        routeText(manifest_, boundary);
    for (const FactLine& fact : factsOf(boundary)) {
      facts += "\n" + factText(fact);
    }
    rows_ += "<g><title>" + escaped(facts) + "</title>\n" +
             box(kMargin + kGutter - 4, y_ + 2, width_ - 2 * kMargin - kGutter + 8, kCrossing - 4,
                 "fill=\"#eef2f7\"");
    lineNumber(boundary.line, y + 4);
    rows_ += least == most ? replicasOnly(boundary, y) : arrows(boundary, y, from);
    const int place = least == most ? from : (least + most) / 2;
    const int room = least == most ? column(boundary.producer).width : most - least;
    label(boundary, place, y, room);
    rows_ += "</g>\n";
    y_ += kCrossing;
  }

  /// The replicas of one fragment exchange their values.
  std::string replicasOnly(const BoundaryInfo& boundary, int y) const {
    const Column& at = column(boundary.producer);
    const std::string colour = colourOf(boundary.producer);
    return head(at.left + 14, y, false, colour) + head(at.left + at.width - 14, y, true, colour) +
           line(at.left + 14, at.left + at.width - 14, y, boundary);
  }

  std::string arrows(const BoundaryInfo& boundary, int y, int from) const {
    const std::string colour = colourOf(boundary.producer);
    std::string svg =
        "<circle cx=" + px(from) + " cy=" + px(y) + " r=\"4\" fill=\"" + colour + "\"/>\n";
    for (const int consumer : boundary.consumers) {
      const int to = column(consumer).middle();
      if (to != from) {
        svg += line(from, to, y, boundary) + head(to, y, to > from, colour);
      }
    }
    return svg;
  }

  static std::string line(int from, int to, int y, const BoundaryInfo& boundary) {
    const std::string kind = boundary.implicit ? "choice" : boundary.loose ? "loose" : "ordered";
    return "<line x1=" + px(from) + " x2=" + px(to) + " y1=" + px(y) + " y2=" + px(y) +
           " stroke=\"" + colourOf(boundary.producer) + "\" stroke-width=\"1.8\" class=\"" + kind +
           "\"/>\n";
  }

  static std::string head(int x, int y, bool to_the_right, const std::string& colour) {
    const std::string back = to_the_right ? "-9" : "9";
    return "<path d=\"M" + std::to_string(x) + " " + std::to_string(y) + "l" + back +
           " -4.5v9z\" fill=\"" + colour + "\"/>\n";
  }

  void label(const BoundaryInfo& boundary, int x, int y, int room) {
    const std::string anchor = " text-anchor=\"middle\"";
    const std::string modes = modesOf(boundary);
    const auto letters = static_cast<size_t>(lettersIn(room - 16));
    const std::string value = boundary.implicit ? "outcome of a condition" : valuesText(boundary);
    rows_ += textAt(x, y - 6, "plain value halo", shortened(value, letters), anchor);
    if (!boundary.implicit) {
      const bool within = boundary.consumers == std::vector<int>{boundary.producer};
      const std::string operation = operationText(boundary) + (within ? ", between replicas" : "");
      rows_ +=
          textAt(x, y + 13, modes.empty() ? "plain halo" : "plain yes halo",
                 shortened(operation + (modes.empty() ? "" : " · " + modes), letters + 4), anchor);
    }
  }

  std::string legend(int y) const {
    return textAt(kMargin, y, "plain quiet",
                  "Italic: copied into every fragment that needs it, because free or derived. "
                  "Numbers: lines of the program.") +
           textAt(kMargin, y + 17, "plain quiet",
                  "Arrows: solid, every value in turn; dashed, loose; dotted, the outcome of a "
                  "condition. Hovering shows the facts.");
  }

  const Manifest& manifest_;
  const std::vector<ListedStatement>& statements_;
  std::vector<Column> columns_;
  int width_ = 0;
  int y_ = 0;
  std::string rows_;
};

}  // namespace

std::string pictureSvg(const Manifest& manifest, const std::vector<ListedStatement>& statements) {
  return Drawing(manifest, statements).draw();
}

}  // namespace fdg::compiler
