#include "core/Config.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <utility>

#include "base/Check.h"
#include "base/NearestName.h"
#include "core/Names.h"

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
      const double old = value;
      value = number<double>(text_, "a number");
      checkFinite({value}, {old});
    }
  }
  void field(const char* name, std::string& value) override {
    if (take(name)) {
      if (!isUtf8(text_)) {
        refuse("a text in UTF-8");
      }
      value = text_;
    }
  }
  void field(const char* name, std::vector<int64_t>& value) override {
    if (take(name)) {
      value.clear();
      for (const auto& part : split(text_)) {
        value.push_back(number<int64_t>(part, "integers with commas between them", "64,64"));
      }
    }
  }
  void field(const char* name, std::vector<double>& value) override {
    if (take(name)) {
      const std::vector<double> old = std::exchange(value, {});
      for (const auto& part : split(text_)) {
        value.push_back(number<double>(part, "numbers with commas between them", "0.5,0.9"));
      }
      checkFinite(value, old);
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
  T number(const std::string& text, const char* what, const char* list = nullptr) {
    const std::string not_this =
        list == nullptr ? ""
                        : " (" + std::string(list) + "; [] for none), and \"" + text + "\" is none";
    T value{};
    std::string digits;
    for (const char c : text) {
      if (c != '_' && c != '\'') {
        digits += c;
      }
    }
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value);
    if (parsed.ec == std::errc::result_out_of_range && parsed.ptr == end) {
      const auto least = std::numeric_limits<T>::lowest();
      refuse(what + (" from " + shortest(least)) + " to " +
             shortest(std::numeric_limits<T>::max()) +
             (std::is_integral_v<T> ? "" : ", and none so near 0 that it is no longer kept") +
             not_this);
    }
    if (parsed.ec != std::errc() || parsed.ptr != end || digits.empty()) {
      refuse(what + not_this);
    }
    return value;
  }

  /// A default that is none can be told again: a resumed run, and a rank, sets every field.
  void checkFinite(const std::vector<double>& values, const std::vector<double>& old) const {
    const auto is_same = [](double a, double b) {
      return a == b || (std::isnan(a) && std::isnan(b));
    };
    if (!std::ranges::all_of(values, [](double v) { return std::isfinite(v); }) &&
        !std::ranges::equal(values, old, is_same)) {
      refuse("finite numbers only");
    }
  }

  [[noreturn]] void refuse(const std::string& what) const {
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

void detail::checkRange(const char* name, int64_t value, int64_t least, uint64_t most) {
  if (value < least || (value > 0 && static_cast<uint64_t>(value) > most)) {
    throw UserError(std::string(name) + " takes an integer from " + std::to_string(least) + " to " +
                    std::to_string(std::min<uint64_t>(most, INT64_MAX)));
  }
}

void detail::checkRange(const char* name, double value, double least, double most) {
  const double size = std::abs(value);
  if (size > most || (size < least && size > 0)) {
    throw UserError(std::string(name) + " takes 0 or a number whose size is from " +
                    shortest(least) + " to " + shortest(most));
  }
}

void setConfigField(const VisitConfig& visit, std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw UserError("--set " + std::string(assignment) + ": write --set FIELD=VALUE");
  }
  Setter setter(std::string(assignment.substr(0, equals)),
                std::string(assignment.substr(equals + 1)));
  try {
    visit(setter);
  } catch (const UserError& error) {  // the field's type has more to say
    const std::string sentence = error.what();
    throw UserError(sentence.starts_with("--set ")
                        ? sentence
                        : "--set " + std::string(assignment) + ": " + sentence);
  }
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
