#include "runtime/report/LogFile.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/Check.h"
#include "runtime/report/Lines.h"

namespace fdg::report {

std::string shortestNumber(double value) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string jsonText(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

LogFile::LogFile(const std::string& path, const std::optional<Written>& keep) : path_(path) {
  if (keep) {
    readKept(*keep);
  }
  file_.reset(std::fopen(path.c_str(), keep ? "ae" : "we"));
  if (!file_) {
    throw UserError("cannot write " + path + ": " + std::strerror(errno) +
                    "; choose another folder with --out");
  }
}

void LogFile::readKept(const Written& keep) {
  std::ifstream file(path_);
  for (std::string line; written_.bytes < keep.bytes && std::getline(file, line) && !file.eof();) {
    const auto point = nlohmann::json::parse(line, nullptr, false);
    if (point.is_object() && point.contains("key") && point["key"].is_string()) {
      ++counts_[point["key"].get<std::string>()];
      seconds_ = point.value("seconds", nlohmann::json()).is_number() ? point["seconds"].get<double>() : 0;
    }
    written_.add(line += '\n');
  }
  if (written_ == keep) {
    has_rest_ = true;
    return;
  }
  const std::string lines = grouped(keep.lines) + " lines that were logged before the checkpoint";
  const bool is_short = written_.bytes < keep.bytes;
  throw UserError(
      (is_short ? path_ + " holds " + grouped(written_.lines) + " of the " + lines
                : path_ + " was changed: it does not begin with the " + lines) +
      "; put it back as it was, or name the folder that it is in with --out (in one without a log, a "
      "new log begins at the checkpoint)");
}

void LogFile::cutRest() {
  std::error_code cause;
  std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(written_.bytes), cause);
  if (cause) {
    throw UserError("cannot write " + path_ + ": " + cause.message());
  }
  has_rest_ = false;
}

void LogFile::write(const std::string& key, double value, int64_t iteration, double seconds) {
  if (has_rest_) {
    cutRest();
  }
  const std::string number = std::isfinite(value)
                                 ? shortestNumber(value)
                                 : '"' + shortestNumber(std::isnan(value) ? NAN : value) + '"';
  char time[64];
  std::snprintf(time, sizeof time, "%.3f", seconds);
  const std::string line = "{\"key\": " + jsonText(key) + ", \"index\": " +
                           std::to_string(counts_[key]++) + ", \"value\": " + number +
                           ", \"iteration\": " + std::to_string(iteration) +
                           ", \"seconds\": " + time + "}\n";
  std::fwrite(line.data(), 1, line.size(), file_.get());
  written_.add(line);
}

void LogFile::flush() {
  if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0) {
    throw UserError("cannot write " + path_ + ": " + std::strerror(errno) +
                    "; the log is not whole");
  }
}

void LogFile::sync() {
  flush();
  if (::fsync(::fileno(file_.get())) != 0 && errno != EINVAL) {  // a pipe has no disk
    throw UserError("cannot write " + path_ + ": " + std::strerror(errno) +
                    "; the log is not whole");
  }
}

}  // namespace fdg::report
