#include "base/ReadFile.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fdg {

std::optional<std::string> contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  std::stringstream content;
  content << file.rdbuf();
  if (std::error_code none; std::filesystem::is_directory(path, none)) {
    errno = EISDIR;
    return std::nullopt;
  }
  return content.str();
}

}  // namespace fdg
