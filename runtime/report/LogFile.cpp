#include "runtime/report/LogFile.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
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

LogFile::LogFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "we")) {
  if (!file_) {
    throw UserError("cannot write " + path + ": " + std::strerror(errno) +
                    "; choose another folder with --out");
  }
}

void LogFile::write(const std::string& key, double value, int64_t iteration, double seconds) {
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
