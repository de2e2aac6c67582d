// Logged points → FOLDER/log.jsonl, one JSON object a line.
//
// {"key": "loss", "index": 12, "value": 0.25, "iteration": 512, "seconds": 3.071}
// `index` counts the points of a key, as in the log of the sequential program; `seconds` is the
// only field that differs between two runs with the same result. NaN and infinities, which JSON
// lacks, are "nan", "inf" and "-inf". Throws UserError if the file cannot be written.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/Written.h"

namespace fdg::report {

class LogFile {
 public:
  /// With `keep`: goes on behind that much of the file that is there; the first write removes what
  /// follows it. Throws UserError if the file has less, or something else.
  explicit LogFile(const std::string& path, const std::optional<Written>& keep = {});

  void write(const std::string& key, double value, int64_t iteration, double seconds);
  void flush();
  /// Until it is on the disk.
  void sync();
  /// All of it, from the first line on, and what is not flushed yet.
  const Written& written() const { return written_; }
  /// Of the last line that was kept; 0: none.
  double seconds() const { return seconds_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::map<std::string, int64_t> counts_;
  double seconds_ = 0;
  Written written_;
  bool has_rest_ = false;  // what follows the lines that were kept, until it is cut off

  void readKept(const Written& keep);
  void cutRest();
};

/// `value` with as few digits as give the same bits back.
std::string shortestNumber(double value);
/// JSON string of any bytes; what is not UTF-8 becomes "?".
std::string jsonText(const std::string& text);

}  // namespace fdg::report
