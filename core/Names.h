// The names that a program gives to what it logs and saves, and the texts of its config.
#pragma once

#include <string>
#include <string_view>

namespace fdg {

bool isUtf8(std::string_view text);
/// In quotes, for a message: what is not UTF-8 is replaced.
std::string shownText(std::string_view text);

/// Throws UserError: the log is JSON, whose texts are UTF-8. A few ns for ASCII.
void checkLogKey(std::string_view key);

/// Throws UserError: NAME.safetensors is a file of the run's folder, and of no other.
void checkSavedName(std::string_view name);

}  // namespace fdg
