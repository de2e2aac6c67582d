#include "runtime/report/Lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/TextTable.h"

namespace fdg::report {
namespace {

std::string format(const char* pattern, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, pattern, value);
  return buffer;
}

std::string percent(double part, double whole) {
  return whole > 0 ? format("%.0f %%", 100 * part / whole) : "–";
}

double total(const FragmentUse& use) { return use.computing + use.waiting + use.sending; }

}  // namespace

std::string secondsText(double seconds) {
  return seconds < 60 ? format("%.1f s", seconds)
                      : format("%.0f min ", std::floor(seconds / 60)) +
                            format("%.0f s", std::fmod(seconds, 60));
}

std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  const size_t first = digits.starts_with('-') ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string byteText(int64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "KB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return format(unit == 0 || value >= 99.5 ? "%.0f " : "%.1f ", value) + kUnits[unit];
}

std::string statusLine(const Status& status, double iterations_per_second,
                       const std::map<std::string, double>& newest) {
  std::string line = grouped(status.iterations) + " iterations";
  if (iterations_per_second > 0) {
    line += ", " +
            (iterations_per_second < 10 ? format("%.1f", iterations_per_second)
                                        : grouped(std::llround(iterations_per_second))) +
            "/s";
  }
  for (const char* key : {"train/return", "eval/return"}) {
    if (const auto value = newest.find(key); value != newest.end()) {
      line += ", return " + format("%.4g", value->second);
      break;
    }
  }
  if (const auto value = newest.find("loss"); value != newest.end()) {
    line += ", loss " + format("%.3g", value->second);
  }
  std::string waiting;
  for (const FragmentUse& use : status.fragments) {
    if (total(use) > 0) {
      waiting += (waiting.empty() ? ", waiting: " : ", ") + use.name + " " +
                 percent(use.waiting, total(use));
    }
  }
  return line + waiting;
}

std::string closingText(const Closing& closing, const std::string& folder) {
  const Status& status = closing.status;
  std::string text = closing.outcome + " after " + grouped(status.iterations) + " iterations in " +
                     secondsText(status.seconds) + "\n";
  for (const std::string& loss : closing.losses) {
    text += loss + "\n";
  }
  TextTable fragments(
      {"fragment", ">replicas", ">iterations", ">computing", ">waiting", ">sending"});
  for (const FragmentUse& use : status.fragments) {
    const std::string lost = use.lost > 0 ? ", " + std::to_string(use.lost) + " lost" : "";
    fragments.row({use.name, std::to_string(use.replicas) + lost, grouped(use.iterations),
                   percent(use.computing, total(use)), percent(use.waiting, total(use)),
                   percent(use.sending, total(use))});
  }
  TextTable boundaries(
      {"boundary", ">executions", ">messages", ">bytes", ">longest queue", ">waited"});
  for (const BoundaryUse& use : closing.boundaries) {
    boundaries.row({use.name, grouped(use.executions), grouped(use.messages), byteText(use.bytes),
                    grouped(use.longest_queue), secondsText(use.waited)});
  }
  text += fragments.empty() ? "" : "\n" + fragments.text();
  text += boundaries.empty() ? "" : "\n" + boundaries.text();
  text += "\nlog: " + folder + "/log.jsonl   TensorBoard: tensorboard --logdir " + folder + "\n";
  for (const auto& file : closing.saved) {
    text += "saved: " + file + "\n";
  }
  return text;
}

}  // namespace fdg::report
