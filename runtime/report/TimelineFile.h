// Spans → a trace-event file, which Perfetto and chrome://tracing open.
//
// Ranks are processes, fragments' replicas are threads, spans are complete events ("ph": "X") in
// microseconds since the run began. The JSON array is closed when the run ends; viewers also take
// an open one, so the file of a run that was killed can be read. After kMostSpans it takes no more
// and says so in the file. Throws UserError if the file cannot be written.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace fdg::report {

/// What one fragment did for a while. Times are microseconds since 1970.
struct Span {
  int rank = 0;
  std::string fragment;  ///< With its first replica: "actor 0".
  std::string name;      ///< "compute", "wait for weights", "send batch", "drain experience".
  int64_t begin = 0;
  int64_t end = 0;
  int64_t iteration = 0;
};

class TimelineFile {
 public:
  static constexpr int64_t kMostSpans = 1'000'000;

  /// `unit`: what a rank is, "rank" or "thread".
  explicit TimelineFile(const std::string& path, std::string unit = "rank");
  ~TimelineFile();
  TimelineFile(const TimelineFile&) = delete;
  TimelineFile& operator=(const TimelineFile&) = delete;

  void write(const Span& span);
  void flush();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  int threadOf(const Span& span);
  void event(const std::string& text);

  std::string path_;
  std::string unit_;
  std::unique_ptr<std::FILE, Close> file_;
  std::map<std::pair<int, std::string>, int> threads_;  // by rank and fragment
  int64_t start_ = 0;
  int64_t spans_ = 0;
};

}  // namespace fdg::report
