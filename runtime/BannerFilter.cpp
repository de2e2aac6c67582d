#include "runtime/BannerFilter.h"

#include <algorithm>
#include <array>
#include <string_view>

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

/// Whether `text` begins with `word`, or would if it were longer.
bool mayBeginWith(std::string_view text, std::string_view word) {
  const size_t known = std::min(text.size(), word.size());
  return text.substr(0, known) == word.substr(0, known);
}

std::string_view withoutDigits(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of("0123456789"), text.size()));
}

/// Whether it is, or could become, a line that Open MPI puts the host and a process in front of:
///   [node3:00000] *** An error occurred in Socket closed
///   [node3:07613] 3 more processes have sent help message help-mpi-api.txt / mpi-abort
/// or one of its event library, which wonders at a rank's closed pipe:
///   [warn] Epoll MOD(1) on fd 25 failed.
bool mayBeTagged(std::string_view line) {
  if (mayBeginWith(line, "[warn] Epoll ")) {
    return true;
  }
  constexpr size_t kLongestHost = 256;
  constexpr std::array<std::string_view, 3> kBegin = {"*** ", "[[", "Set MCA parameter "};
  if (!line.starts_with('[')) {
    return false;
  }
  const size_t end = line.find(']');
  const std::string_view tag = line.substr(0, end);
  if (end == std::string_view::npos) {
    return tag.size() < kLongestHost && tag.find_first_of(" \t\r\n") == std::string_view::npos;
  }
  const size_t colon = tag.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == end || !withoutDigits(tag.substr(colon + 1)).empty()) {
    return false;
  }
  const std::string_view text = line.substr(end + 1);
  if (text.size() < 2) {
    return mayBeginWith(text, " ");
  }
  const std::string_view said = text.substr(1);
  const std::string_view behind = withoutDigits(said);
  return text.front() == ' ' &&
         (std::ranges::any_of(kBegin, [&](auto word) { return mayBeginWith(said, word); }) ||
          (behind.size() < said.size() && mayBeginWith(behind, " more process")));
}

}  // namespace

void BannerFilter::takeLine(const std::string& line, std::string& out) {
  if (isDashes(line)) {
    in_banner_ = !in_banner_;
  } else if (in_banner_ || mayBeTagged(line + '\n')) {  // no more comes
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
    } else if (!in_banner_ && !mayBecomeDashes(held_) && !mayBeTagged(held_)) {
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
