#include "compiler/emit/Page.h"

#include <algorithm>
#include <map>

#include "compiler/emit/Facts.h"
#include "compiler/emit/GraphText.h"
#include "compiler/emit/Markup.h"
#include "compiler/emit/PageStyle.h"

namespace fdg::compiler {
namespace {

std::string colourClass(int fragment) { return "f" + std::to_string(fragment); }

std::string factsHtml(const std::vector<FactLine>& facts) {
  std::string html;
  for (const FactLine& fact : facts) {
    html += "<span class=\"fact\">" + fact.name + ": <span class=\"" +
            (fact.holds ? "yes\">yes" : "no\">no") + "</span>" +
            (fact.reason.empty() ? "" : ", " + escaped(fact.reason)) + "</span>";
  }
  return html;
}

std::string lineLink(int line) {
  const std::string number = std::to_string(line);
  return "<a href=\"#L" + number + "\">line " + number + "</a>";
}

/// The statements of each source line, and what is written beside it.
class Source {
 public:
  Source(const Manifest& manifest, const std::vector<ListedStatement>& statements)
      : manifest_(manifest) {
    for (const ListedStatement& listed : statements) {
      if (!listed.in_header) {
        for (int line = listed.line; line <= listed.last_line; ++line) {
          on_line_[line].push_back(&listed);
        }
      }
    }
  }

  std::string table(std::string_view source) {
    std::string html =
        "<table class=\"source\"><caption class=\"hidden\">The program, line by line</caption>\n"
        "<thead class=\"hidden\"><tr><th scope=\"col\">Line</th><th scope=\"col\">Fragments</th>"
        "<th scope=\"col\">Source</th></tr></thead>\n<tbody>\n";
    int number = 0;
    for (size_t begin = 0; begin < source.size();) {
      const size_t end = std::min(source.find('\n', begin), source.size());
      html += row(++number, source.substr(begin, end - begin));
      begin = end + 1;
    }
    return html + "</tbody></table>\n";
  }

 private:
  std::string row(int number, std::string_view text) const {
    const auto found = on_line_.find(number);
    const std::string n = std::to_string(number);
    std::string attributes;
    std::string who;
    std::string marks;
    if (found != on_line_.end()) {
      attributes = " class=\"" + classOf(*found->second.front()) + "\"";
      for (const ListedStatement* listed : found->second) {
        who += listed->line == number ? holders(*listed) : "";
        marks += listed->line == number ? marksOf(*listed) : "";
      }
    }
    return "<tr id=\"L" + n + "\"" + attributes + "><th scope=\"row\" class=\"number\">" + n +
           "</th><td class=\"who\">" + who + "</td><td class=\"code\">" + escaped(text) +
           (marks.empty() ? "" : "<span class=\"marks\">" + marks + "</span>") + "</td></tr>\n";
  }

  static std::string classOf(const ListedStatement& listed) {
    if (listed.kind == StatementKind::annotation) {
      return "crossing";
    }
    return listed.owner >= 0 && listed.kind != StatementKind::copied
               ? "owned " + colourClass(listed.owner)
               : "copied";
  }

  std::string holders(const ListedStatement& listed) const {
    if (listed.kind == StatementKind::annotation) {
      return "";
    }
    if (listed.owner >= 0 && listed.kind == StatementKind::owned) {
      return "<span class=\"badge " + colourClass(listed.owner) + "\">" + name(listed.owner) +
             "</span> ";
    }
    std::string dots;
    for (const int fragment : listed.fragments) {
      dots += "<span class=\"dot " + colourClass(fragment) + "\"></span>";
    }
    const std::string names = escaped(fragmentNames(manifest_, listed.fragments));
    return listed.fragments.empty()
               ? ""
               : "<span class=\"dots\" title=\"in " + names + "\"><span class=\"hidden\">in " +
                     names + "</span>" + dots + "</span> ";
  }

  std::string marksOf(const ListedStatement& listed) const {
    std::string marks;
    for (const int id : listed.boundaries) {
      const BoundaryInfo& boundary = manifest_.boundaries[static_cast<size_t>(id)];
      const std::string tip = "tip" + std::to_string(id);
      const std::string kind = boundary.implicit ? " choice" : boundary.loose ? " loose" : "";
      marks += "<span class=\"mark" + kind + " " + colourClass(boundary.producer) +
               "\" tabindex=\"0\" aria-describedby=\"" + tip + "\">" + label(boundary) +
               "<span class=\"tip\" role=\"tooltip\" id=\"" + tip + "\">" + tipOf(boundary) +
               "</span></span>";
    }
    return marks;
  }

  std::string label(const BoundaryInfo& boundary) const {
    const std::string route = escaped(routeText(manifest_, boundary));
    return boundary.implicit ? "the outcome is told: " + route
                             : "<b>" + escaped(valuesText(boundary)) + "</b> " +
                                   escaped(operationText(boundary)) + ": " + route;
  }

  std::string tipOf(const BoundaryInfo& boundary) const {
    if (!boundary.implicit) {
      return factsHtml(factsOf(boundary));
    }
    return "<span class=\"fact\">" + name(boundary.producer) +
           " alone can evaluate this condition; it sends the outcome to " +
           escaped(fragmentNames(manifest_, boundary.consumers)) +
           (boundary.only_for_drain < 0
                ? ""
                : ", unless " +
                      escaped(
                          manifest_.boundaries[static_cast<size_t>(boundary.only_for_drain)].name) +
                      " is drained") +
           ".</span>";
  }

  std::string name(int fragment) const { return escaped(fragmentNames(manifest_, {fragment})); }

  const Manifest& manifest_;
  std::map<int, std::vector<const ListedStatement*>> on_line_;
};

std::string legend(const Manifest& manifest) {
  std::string html = "<h2>Fragments</h2>\n<ul class=\"legend\">\n";
  for (const FragmentInfo& fragment : manifest.fragments) {
    std::string components;
    for (const std::string& component : fragment.components) {
      components += (components.empty() ? "" : ", ") + component;
    }
    html += "<li class=\"" + colourClass(fragment.id) + "\"><span class=\"badge\">" +
            escaped(fragment.name) + "</span> <code>" + escaped(components) +
            "</code><br><span class=\"quiet\">lines " + lineRanges(fragment.lines) + "</span>" +
            factsHtml(factsOf(fragment)) + "</li>\n";
  }
  return html +
         "</ul>\n<ul class=\"marks-key\">\n"
         "<li><span class=\"sample owned f0\">coloured</span>belongs to the fragment of that colour"
         "</li>\n"
         "<li><span class=\"sample copied\">grey, dashed edge</span>free or derived: copied into "
         "the "
         "fragments whose dots stand beside it</li>\n"
         "<li><span class=\"sample crossing\">double edge</span>a partition annotation; the frame "
         "says "
         "what crosses (dashed: loose), its facts show on hovering and on focus</li>\n"
         "<li><span class=\"sample\"><span class=\"mark choice f0\">dotted</span></span>a "
         "condition that "
         "its owner evaluates and tells to the others</li>\n</ul>\n";
}

std::string boundaryTable(const Manifest& manifest) {
  if (manifest.boundaries.empty()) {
    return "<h2>Boundaries</h2>\n<p>None: nothing crosses.</p>\n";
  }
  std::string html =
      "<h2>Boundaries</h2>\n<table class=\"facts\"><thead><tr><th scope=\"col\">What crosses</th>"
      "<th scope=\"col\">Operation</th><th scope=\"col\">Way</th><th scope=\"col\">Facts</th></tr>"
      "</thead>\n<tbody>\n";
  for (const BoundaryInfo& boundary : manifest.boundaries) {
    html += "<tr><th scope=\"row\"><code>" + escaped(valuesText(boundary)) + "</code><br>" +
            lineLink(boundary.line) + "</th><td>" + escaped(operationText(boundary)) + "</td><td>" +
            escaped(routeText(manifest, boundary)) + "</td><td>" + factsHtml(factsOf(boundary)) +
            "</td></tr>\n";
  }
  return html + "</tbody></table>\n";
}

}  // namespace

std::string pageHtml(const Manifest& manifest, const std::vector<ListedStatement>& statements,
                     std::string_view source) {
  std::string colours;
  for (const FragmentInfo& fragment : manifest.fragments) {
    colours += "." + colourClass(fragment.id) + " { --c: " + colourOf(fragment.id) + "; }\n";
  }
  const std::string program = escaped(manifest.program);
  const size_t fragments = manifest.fragments.size();
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         program + ": fragments</title>\n<style>" + kPageStyle + colours +
         "</style>\n</head>\n<body>\n<h1>" + program + "</h1>\n<p class=\"quiet\">" +
         escaped(manifest.source) + ", split into " + std::to_string(fragments) +
         (fragments == 1 ? " fragment" : " fragments") + "</p>\n" + legend(manifest) +
         "<h2>Program</h2>\n" + Source(manifest, statements).table(source) +
         boundaryTable(manifest) + "<script>" + kPageScript + "</script>\n</body>\n</html>\n";
}

}  // namespace fdg::compiler
