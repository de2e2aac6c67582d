#include "core/Config.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/Check.h"

namespace fdg {
namespace {

std::string join(const std::vector<std::string>& parts, const char* separator = ",") {
  std::string text;
  for (const auto& part : parts) {
    text += (text.empty() ? "" : separator) + part;
  }
  return text;
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  const size_t last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last + 1 - first);
}

/// The elements of "1, 2" or "[1, 2]".
std::vector<std::string> split(const std::string& text) {
  std::string inner = trimmed(text);
  if (inner.starts_with('[') && inner.ends_with(']')) {
    inner = inner.substr(1, inner.size() - 2);
  }
  std::vector<std::string> parts;
  std::stringstream in(inner);
  for (std::string part; std::getline(in, part, ',');) {
    parts.push_back(trimmed(part));
  }
  return parts;
}

template <class T>
std::string shortest(T value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

/// Assigns the one field that is wanted.
class Setter final : public ConfigVisitor {
 public:
  Setter(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

  using ConfigVisitor::field;
  void field(const char* name, bool& value) override {
    if (take(name)) {
      if (text_ != "true" && text_ != "false") {
        refuse("true or false");
      }
      value = text_ == "true";
    }
  }
  void field(const char* name, int64_t& value) override {
    if (take(name)) {
      value = number<int64_t>(text_, "an integer");
    }
  }
  void field(const char* name, double& value) override {
    if (take(name)) {
      value = number<double>(text_, "a number");
    }
  }
  void field(const char* name, std::string& value) override {
    if (take(name)) {
      value = text_;
    }
  }
  void field(const char* name, std::vector<int64_t>& value) override {
    if (take(name)) {
      value.clear();
      for (const auto& part : split(text_)) {
        value.push_back(number<int64_t>(part, "integers with commas between them"));
      }
    }
  }
  void field(const char* name, std::vector<double>& value) override {
    if (take(name)) {
      value.clear();
      for (const auto& part : split(text_)) {
        value.push_back(number<double>(part, "numbers with commas between them"));
      }
    }
  }

  bool found() const { return found_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  bool take(const char* name) {
    names_.emplace_back(name);
    if (name_ != name) {
      return false;
    }
    found_ = true;
    return true;
  }

  template <class T>
  T number(const std::string& text, const char* what) {
    T value{};
    std::string digits;
    for (const char c : text) {
      if (c != '_' && c != '\'') {
        digits += c;
      }
    }
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || digits.empty()) {
      refuse(what);
    }
    return value;
  }

  [[noreturn]] void refuse(const char* what) const {
    throw UserError("--set " + name_ + "=" + text_ + ": " + name_ + " takes " + what);
  }

  std::string name_;
  std::string text_;
  bool found_ = false;
  std::vector<std::string> names_;
};

class Lister final : public ConfigVisitor {
 public:
  using ConfigVisitor::field;
  void field(const char* name, bool& v) override {
    values.emplace_back(name, v ? "true" : "false");
  }
  void field(const char* name, int64_t& v) override {
    values.emplace_back(name, std::to_string(v));
  }
  void field(const char* name, double& v) override { values.emplace_back(name, shortest(v)); }
  void field(const char* name, std::string& v) override { values.emplace_back(name, v); }
  void field(const char* name, std::vector<int64_t>& v) override { list(name, v); }
  void field(const char* name, std::vector<double>& v) override { list(name, v); }

  std::vector<std::pair<std::string, std::string>> values;

 private:
  template <class T>
  void list(const char* name, const std::vector<T>& v) {
    std::vector<std::string> parts;
    for (const T element : v) {
      parts.push_back(shortest(element));
    }
    values.emplace_back(name, join(parts));
  }
};

std::string whyNoField(const std::string& name, const std::vector<std::string>& names) {
  if (names.empty()) {
    return "the config has no such field. (a plain compile knows no field names; use fdgc)";
  }
  std::vector<std::string> inner = names;
  std::erase_if(inner, [&](const auto& each) { return !each.starts_with(name + "."); });
  if (!inner.empty()) {
    return "this is a group of fields. Fields: " + join(inner, ", ");
  }
  const std::string nearest = nearestName(name, names);
  return "the config has no such field" +
         (nearest.empty() ? "." : "; did you mean " + nearest + "?") +
         " Fields: " + join(names, ", ");
}

}  // namespace

void setConfigField(const VisitConfig& visit, std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw UserError("--set " + std::string(assignment) + ": write --set FIELD=VALUE");
  }
  Setter setter(std::string(assignment.substr(0, equals)),
                std::string(assignment.substr(equals + 1)));
  visit(setter);
  if (!setter.found()) {
    const std::string name(assignment.substr(0, equals));
    throw UserError("--set " + name + ": " + whyNoField(name, setter.names()));
  }
}

std::vector<std::pair<std::string, std::string>> configValues(const VisitConfig& visit) {
  Lister lister;
  visit(lister);
  return lister.values;
}

}  // namespace fdg
