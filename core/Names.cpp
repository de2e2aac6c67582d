#include "core/Names.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "base/Check.h"

namespace fdg {
namespace {

constexpr size_t kLongestName = 200;

}  // namespace

std::string shownText(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool isUtf8(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return true;
  }
  try {
    nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

void checkLogKey(std::string_view key) {
  if (!isUtf8(key)) {
    throw UserError("run.log: the key " + shownText(key) + " is no UTF-8 text, which the log consists of");
  }
}

void checkSavedName(std::string_view name) {
  const bool is_file = !name.empty() && name.front() != '.' && name.size() <= kLongestName &&
                       name.find('/') == name.npos && name.find('\0') == name.npos;
  if (!is_file || !isUtf8(name)) {
    throw UserError("run.save: " + shownText(name) +
                    " cannot be the name of a file in the run's folder; a name is UTF-8 text of 1 to " +
                    std::to_string(kLongestName) + " bytes without slashes, and no dot in front");
  }
}

}  // namespace fdg
