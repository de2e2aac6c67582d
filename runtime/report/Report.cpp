#include "runtime/report/Report.h"

#include <algorithm>
#include <chrono>

#include "runtime/report/EventFile.h"
#include "runtime/report/Lines.h"
#include "runtime/report/LogFile.h"

namespace fdg::report {
namespace {

constexpr double kSecondsBetweenPlainLines = 5;

double secondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// The clock may be set; how long a run takes does not change by that.
double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// At most `columns` letters: a line that wraps cannot be drawn over.
std::string cut(const std::string& line, size_t columns) {
  size_t letters = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const bool starts_letter = (static_cast<unsigned char>(line[i]) & 0xC0) != 0x80;
    if (starts_letter && ++letters == columns) {
      return line.substr(0, i) + "…";
    }
  }
  return line;
}

}  // namespace

Report::Report(ReportOptions options)
    : options_(std::move(options)),
      log_(std::make_unique<LogFile>(options_.folder + "/log.jsonl", options_.kept_log)),
      events_(std::make_unique<EventFile>(options_.folder)),
      start_(steadySeconds() - log_->seconds()) {
  if (!options_.timeline.empty()) {
    timeline_ = std::make_unique<TimelineFile>(options_.timeline, options_.unit);
  }
  if (options_.resumed_iteration) {
    events_->restart(*options_.resumed_iteration, secondsSince1970());
  }
}

Report::~Report() = default;

void Report::point(const Point& point) {
  log_->write(point.key, point.value, point.iteration, steadySeconds() - start_);
  events_->scalar(point.key, point.value, point.iteration, secondsSince1970());
  newest_[point.key] = point.value;
}

void Report::span(const Span& span) {
  if (timeline_) {
    timeline_->write(span);
  }
}

void Report::status(const Status& status) {
  flush();
  const double passed = status.seconds - last_seconds_;
  if (passed > 0.05) {
    const double now = static_cast<double>(status.iterations - last_iterations_) / passed;
    rate_ = rate_ == 0 ? now : rate_ + (now - rate_) * std::min(1.0, passed / 2);
    last_iterations_ = status.iterations;
    last_seconds_ = status.seconds;
  }
  if (options_.quiet) {
    return;
  }
  const std::string line = options_.program + ": " + statusLine(status, rate_, newest_);
  if (options_.columns > 0) {
    std::fprintf(options_.lines, "\r%s\x1b[K",
                 cut(line, static_cast<size_t>(options_.columns) - 1).c_str());
    line_is_drawn_ = true;
  } else if (status.seconds - last_plain_line_ >= kSecondsBetweenPlainLines) {
    last_plain_line_ = status.seconds;
    std::fprintf(options_.lines, "%s\n", line.c_str());
  }
  std::fflush(options_.lines);
}

std::string Report::tellLoss(const std::string& sentence, double seconds) {
  std::fprintf(options_.lines, "%sfdg-run: %s\n", line_is_drawn_ ? "\r\x1b[K" : "",
               sentence.c_str());
  std::fflush(options_.lines);
  return "after " + secondsText(seconds) + ": " + sentence;
}

void Report::flush() {
  log_->flush();
  events_->flush();
  if (timeline_) {
    timeline_->flush();
  }
}

const Written& Report::logged() const { return log_->written(); }

const Written& Report::syncLog() {
  log_->sync();
  return log_->written();
}

void Report::finish(const Closing& closing) {
  flush();
  timeline_.reset();
  if (options_.quiet) {
    return;
  }
  if (line_is_drawn_) {
    std::fprintf(options_.lines, "\r\x1b[K");
    std::fflush(options_.lines);
  }
  std::fprintf(options_.table, "%s: %s", options_.program.c_str(),
               closingText(closing, options_.folder).c_str());
  std::fflush(options_.table);
}

}  // namespace fdg::report
