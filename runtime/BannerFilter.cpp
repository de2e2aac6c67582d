#include "runtime/BannerFilter.h"

namespace fdg {
namespace {

constexpr size_t kDashes = 20;

bool isDashes(const std::string& line) {
  return line.size() > kDashes && line.find_first_not_of("-\r\n") == std::string::npos;
}

/// Whether more bytes could make it a line of dashes.
bool mayBecomeDashes(const std::string& start) {
  return start.find_first_not_of('-') == std::string::npos;
}

}  // namespace

void BannerFilter::takeLine(const std::string& line, std::string& out) {
  if (isDashes(line)) {
    in_banner_ = !in_banner_;
  } else if (in_banner_) {
    banners_ += line;
  } else {
    out += line;
    said_anything_ = true;
  }
}

std::string BannerFilter::pass(const std::string& bytes) {
  std::string out;
  for (const char byte : bytes) {
    if (byte == '\0') {
      continue;  // mpirun ends some of its own messages with one
    }
    if (line_is_open_) {
      out += byte;
      line_is_open_ = byte != '\n';
      continue;
    }
    held_ += byte;
    if (byte == '\n') {
      takeLine(held_, out);
      held_.clear();
    } else if (!in_banner_ && !mayBecomeDashes(held_)) {
      out += held_;
      held_.clear();
      line_is_open_ = true;
      said_anything_ = true;
    }
  }
  return out;
}

std::string BannerFilter::rest() {
  std::string out;
  if (!held_.empty()) {
    takeLine(held_, out);
    held_.clear();
  }
  return out;
}

}  // namespace fdg
