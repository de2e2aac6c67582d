#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/NearestName.h"
#include "base/ReadFile.h"
#include "runtime/place/Policy.h"

namespace fdg::place {
namespace {

namespace fs = std::filesystem;

bool looksLikePath(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".yaml") || text.ends_with(".yml");
}

Result<Policy> readFile(const std::string& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) {
    return Error{path + " is a folder; --policy takes a policy's name or a YAML file"};
  }
  const std::optional<std::string> content = contentOf(path);
  if (!content) {
    return Error{"cannot read the policy " + path + ": " + std::strerror(errno)};
  }
  return readPolicy(*content, path);
}

std::vector<std::string> namesIn(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  for (const auto& folder : folders) {
    std::error_code unreadable;
    for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
      if (entry.path().extension() == ".yaml") {
        names.push_back(entry.path().stem().string());
      }
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

Result<Policy> findPolicy(const std::string& name_or_path,
                          const std::vector<std::string>& folders) {
  if (looksLikePath(name_or_path)) {
    return readFile(name_or_path);
  }
  for (const auto& folder : folders) {
    const std::string path = folder + "/" + name_or_path + ".yaml";
    std::error_code unreadable;
    if (!name_or_path.empty() && fs::is_regular_file(path, unreadable)) {
      return readFile(path);
    }
  }
  const std::vector<std::string> names = namesIn(folders);
  return Error{"there is no policy \"" + name_or_path + "\"" + didYouMean(name_or_path, names) +
               (names.empty()
                    ? " (no policies found; give a path to a YAML file)"
                    : " (there are " + listNames(names) + "; or give a path to a YAML file)")};
}

}  // namespace fdg::place
