#include "base/ReadFile.h"

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
  return content.str();
}

}  // namespace fdg
