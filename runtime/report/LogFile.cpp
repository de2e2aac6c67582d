#include "runtime/report/LogFile.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/Check.h"

namespace fdg::report {

std::string shortestNumber(double value) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string jsonText(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

LogFile::LogFile(const std::string& path, int64_t keep) : path_(path) {
  if (keep >= 0) {
    readLines(keep);
  }
  file_.reset(std::fopen(path.c_str(), keep >= 0 ? "ae" : "we"));
  if (!file_) {
    throw UserError("cannot write " + path + ": " + std::strerror(errno) +
                    "; choose another folder with --out");
  }
}

void LogFile::readLines(int64_t lines) {
  std::ifstream file(path_);
  kept_bytes_ = 0;
  int64_t kept = 0;
  for (std::string line; kept < lines && std::getline(file, line) && !file.eof(); ++kept) {
    const auto point = nlohmann::json::parse(line, nullptr, false);
    if (!point.is_object() || !point.contains("key") || !point.contains("seconds")) {
      break;
    }
    ++counts_[point["key"].get<std::string>()];
    seconds_ = point["seconds"].get<double>();
    *kept_bytes_ += line.size() + 1;
  }
  if (kept < lines) {
    throw UserError(path_ + " holds " + std::to_string(kept) + " of the " + std::to_string(lines) +
                    " lines that were logged before the checkpoint; name the run's folder with "
                    "--out");
  }
}

void LogFile::cut() {
  std::error_code cause;
  std::filesystem::resize_file(path_, *kept_bytes_, cause);
  if (cause) {
    throw UserError("cannot write " + path_ + ": " + cause.message());
  }
  kept_bytes_.reset();
}

void LogFile::write(const std::string& key, double value, int64_t iteration, double seconds) {
  if (kept_bytes_) {
    cut();
  }
  const std::string number = std::isfinite(value)
                                 ? shortestNumber(value)
                                 : '"' + shortestNumber(std::isnan(value) ? NAN : value) + '"';
  std::fprintf(
      file_.get(),
      "{\"key\": %s, \"index\": %lld, \"value\": %s, \"iteration\": %lld, \"seconds\": %.3f}\n",
      jsonText(key).c_str(), static_cast<long long>(counts_[key]++), number.c_str(),
      static_cast<long long>(iteration), seconds);
}

void LogFile::flush() {
  if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0) {
    throw UserError("cannot write " + path_ + ": " + std::strerror(errno) +
                    "; the log is not whole");
  }
}

}  // namespace fdg::report
