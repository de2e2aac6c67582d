#include "runtime/report/TimelineFile.h"

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/Check.h"
#include "runtime/report/LogFile.h"

namespace fdg::report {
namespace {

/// An event that gives a process or a thread its name.
std::string naming(const char* what, int rank, int thread, const std::string& name) {
  return std::string("{\"ph\": \"M\", \"name\": \"") + what +
         "\", \"pid\": " + std::to_string(rank) + ", \"tid\": " + std::to_string(thread) +
         ", \"args\": {\"name\": " + jsonText(name) + "}}";
}

}  // namespace

TimelineFile::TimelineFile(const std::string& path, std::string unit)
    : path_(path), unit_(std::move(unit)), file_(std::fopen(path.c_str(), "we")) {
  if (!file_) {
    throw UserError("cannot write " + path + " (--timeline): " + std::strerror(errno));
  }
  start_ = std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::system_clock::now().time_since_epoch())
               .count();
  std::fputs("[", file_.get());
}

TimelineFile::~TimelineFile() { std::fputs("\n]\n", file_.get()); }

void TimelineFile::event(const std::string& text) {
  std::fprintf(file_.get(), "%s\n%s", threads_.empty() ? "" : ",", text.c_str());
}

int TimelineFile::threadOf(const Span& span) {
  const std::pair<int, std::string> key(span.rank, span.fragment);
  if (const auto known = threads_.find(key); known != threads_.end()) {
    return known->second;
  }
  const int thread = static_cast<int>(threads_.size()) + 1;
  event(naming("process_name", span.rank, thread, unit_ + " " + std::to_string(span.rank)));
  threads_[key] = thread;
  event(naming("thread_name", span.rank, thread, span.fragment));
  return thread;
}

void TimelineFile::write(const Span& span) {
  if (spans_ == kMostSpans) {
    return;
  }
  const int thread = threadOf(span);
  const bool is_last = ++spans_ == kMostSpans;
  const std::string name =
      is_last ? "the timeline ends here, after " + std::to_string(kMostSpans) + " spans"
              : span.name;
  event("{\"ph\": \"X\", \"name\": " + jsonText(name) + ", \"pid\": " + std::to_string(span.rank) +
        ", \"tid\": " + std::to_string(thread) +
        ", \"ts\": " + std::to_string(span.begin - start_) +
        ", \"dur\": " + std::to_string(span.end - span.begin) +
        ", \"args\": {\"iteration\": " + std::to_string(span.iteration) + "}}");
}

void TimelineFile::flush() {
  if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0) {
    throw UserError("cannot write " + path_ + ": " + std::strerror(errno) +
                    "; the timeline is not whole");
  }
}

}  // namespace fdg::report
