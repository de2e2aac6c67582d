// A file → its bytes; nothing where it cannot be opened, with the cause in errno. Any thread.
#pragma once

#include <optional>
#include <string>

namespace fdg {

std::optional<std::string> contentOf(const std::string& path);

}  // namespace fdg
