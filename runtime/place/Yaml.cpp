#include "runtime/place/Yaml.h"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "base/NearestName.h"

namespace fdg::place {
namespace {

constexpr size_t kMostBytes = 1 << 20;
constexpr size_t kMostMistakes = 20;

/// Bytes of the UTF-8 letter at `at`, 0 if it is none.
size_t letterLength(const std::string& text, size_t at) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(at + i < text.size() ? text[at + i] : 0);
  };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return 0;
    }
  }
  return length;
}

Mark toMark(const YAML::Mark& mark) {
  return mark.is_null() ? Mark{} : Mark{mark.line + 1, mark.column + 1};
}

/// Hears a parser and keeps where the document started.
class DocumentStart final : public YAML::EventHandler {
 public:
  std::optional<Mark> start;
  void OnDocumentStart(const YAML::Mark& mark) override { start = toMark(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// Where a second document starts. YAML::LoadAll would say, but never ends on text such as ",a".
std::optional<Mark> secondDocument(const std::string& text) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  DocumentStart first;
  DocumentStart second;
  if (parser.HandleNextDocument(first) && parser.HandleNextDocument(second)) {
    return second.start;
  }
  return std::nullopt;
}

}  // namespace

std::string atMark(const std::string& file, Mark mark, const std::string& sentence) {
  std::string place = file;
  if (mark.line > 0) {
    place += ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
  }
  return place + ": " + sentence;
}

std::string shown(const YAML::Node& node) {
  if (!node.IsDefined() || node.IsNull()) {
    return "nothing";
  }
  if (node.IsMap()) {
    return "a map";
  }
  if (node.IsSequence()) {
    return "a list";
  }
  const std::string& text = node.Scalar();
  return "\"" + (text.size() > 60 ? text.substr(0, 57) + "…" : text) + "\"";
}

Mark Yaml::markOf(const YAML::Node& node) { return toMark(node.Mark()); }

void Yaml::mistake(Mark at, const std::string& sentence) {
  mistakes_.emplace(std::pair(at.line, at.column), sentence);
}

Error Yaml::error() const {
  std::string text;
  size_t shown_so_far = 0;
  for (const auto& [at, sentence] : mistakes_) {
    if (shown_so_far++ == kMostMistakes) {
      return {text + "\n" + file_ + ": and " + std::to_string(mistakes_.size() - kMostMistakes) +
              " more mistakes"};
    }
    text += (text.empty() ? "" : "\n") + atMark(file_, {at.first, at.second}, sentence);
  }
  return {text};
}

/// yaml-cpp guesses encodings and has opinions on odd bytes; only plain UTF-8 text reaches it.
bool Yaml::plainText(const std::string& text) {
  if (text.size() > kMostBytes) {
    mistake({}, "this file has " + std::to_string(text.size()) +
                    " bytes; a file of this kind has at most 1 MiB");
    return false;
  }
  Mark at{1, 1};
  for (size_t i = 0; i < text.size();) {
    const size_t length = letterLength(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool control =
        (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
    if (length == 0 || control) {
      mistake(at,
              "this is not UTF-8 text (byte " + std::to_string(byte) + "); is it the right file?");
      return false;
    }
    i += length;
    at = byte == '\n' ? Mark{at.line + 1, 1} : Mark{at.line, at.column + 1};
  }
  return true;
}

std::optional<YAML::Node> Yaml::load(const std::string& text) {
  if (!plainText(text)) {
    return std::nullopt;
  }
  try {
    if (const auto second = secondDocument(text)) {
      mistake(*second, "a second document starts here; one file holds one document");
      return std::nullopt;
    }
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    mistake(toMark(error.mark), "this is not YAML: " + error.msg);
  } catch (const std::exception& error) {
    mistake({}, std::string("this cannot be read as YAML: ") + error.what());
  }
  return std::nullopt;
}

void Yaml::entries(const YAML::Node& map, const std::string& what,
                   const std::vector<std::string>& known, const Use& use) {
  if (!map.IsMap()) {
    mistake(markOf(map), what + " takes a map of \"key: value\" lines, not " + shown(map));
    return;
  }
  std::set<std::string> seen;
  for (const auto& entry : map) {
    const Mark at = markOf(entry.first);
    if (!entry.first.IsScalar()) {
      mistake(at, "a key of " + what + " is a word, not " + shown(entry.first));
      continue;
    }
    const std::string& key = entry.first.Scalar();
    if (!known.empty() && std::ranges::find(known, key) == known.end()) {
      mistake(at, "unknown key " + shown(entry.first) + " in " + what + didYouMean(key, known) +
                      " (allowed: " + listNames(known) + ")");
    } else if (!seen.insert(key).second) {
      mistake(at, shown(entry.first) + " stands twice in " + what);
    } else {
      use(key, entry.second, at);
    }
  }
}

std::optional<std::string> Yaml::text(const YAML::Node& node, const std::string& key) {
  if (!node.IsScalar()) {
    mistake(markOf(node), key + " takes text, not " + shown(node));
    return std::nullopt;
  }
  return node.Scalar();
}

std::optional<bool> Yaml::boolean(const YAML::Node& node, const std::string& key) {
  if (node.IsScalar() && (node.Scalar() == "true" || node.Scalar() == "false")) {
    return node.Scalar() == "true";
  }
  mistake(markOf(node), key + " takes true or false, not " + shown(node));
  return std::nullopt;
}

std::optional<int64_t> Yaml::integer(const YAML::Node& node, const std::string& key, int64_t least,
                                     int64_t most, const std::vector<std::string>& words) {
  if (node.IsScalar()) {
    const std::string& text = node.Scalar();
    int64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = parsed.ptr == text.data() + text.size() && !text.empty();
    if (whole && parsed.ec == std::errc() && value >= least && value <= most) {
      return value;
    }
  }
  std::string takes = " takes a whole number from " + std::to_string(least) + " to " +
                      std::to_string(most);
  for (const std::string& word : words) {
    takes += (&word == &words.back() ? " or " : ", ") + word;
  }
  mistake(markOf(node), key + takes + ", not " + shown(node) +
                            (node.IsScalar() ? didYouMean(node.Scalar(), words) : ""));
  return std::nullopt;
}

std::vector<std::string> Yaml::texts(const YAML::Node& node, const std::string& key) {
  std::vector<std::string> texts;
  if (node.IsScalar()) {
    return {node.Scalar()};
  }
  if (!node.IsSequence()) {
    mistake(markOf(node), key + " takes a name or a list of names, not " + shown(node));
    return texts;
  }
  for (const auto& element : node) {
    if (element.IsScalar()) {
      texts.push_back(element.Scalar());
    } else {
      mistake(markOf(element), key + " takes names, not " + shown(element));
    }
  }
  return texts;
}

}  // namespace fdg::place
