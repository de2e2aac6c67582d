#include "runtime/report/EventFile.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/Check.h"

namespace fdg::report {
namespace {

constexpr std::array<uint32_t, 256> makeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) {
      c = (c & 1) != 0 ? 0x82F63B78U ^ (c >> 1) : c >> 1;
    }
    table[i] = c;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kTable = makeTable();

/// The format masks its sums, so that the sum of bytes that contain sums stays a good one.
uint32_t maskedSum(std::string_view bytes) {
  const uint32_t sum = crc32c(bytes);
  return ((sum >> 15) | (sum << 17)) + 0xA282EAD8U;
}

template <class T>
void putLittle(std::string& out, T value) {
  for (size_t i = 0; i < sizeof value; ++i) {
    out += static_cast<char>(value >> (8 * i) & 0xFF);
  }
}

void putVarint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    out += static_cast<char>(value | 0x80);
  }
  out += static_cast<char>(value);
}

enum Wire : unsigned { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

void putKey(std::string& out, unsigned field, Wire wire) { putVarint(out, field << 3 | wire); }

void putBytes(std::string& out, unsigned field, std::string_view content) {
  putKey(out, field, Wire::bytes);
  putVarint(out, content.size());
  out += content;
}

/// Event: 1 wall_time (double), 2 step (int64), 3 file_version (string), 5 summary (message).
std::string eventAt(double wall_time) {
  std::string event;
  putKey(event, 1, Wire::fixed64);
  uint64_t bits;
  std::memcpy(&bits, &wall_time, sizeof bits);
  putLittle(event, bits);
  return event;
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  uint32_t sum = ~0U;
  for (const char byte : bytes) {
    sum = kTable[(sum ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (sum >> 8);
  }
  return ~sum;
}

/// Summary: repeated 1 value; Value: 1 tag (string), 2 simple_value (float).
std::string scalarEvent(const std::string& tag, float value, int64_t step, double wall_time) {
  std::string point;
  putBytes(point, 1, tag);
  putKey(point, 2, Wire::fixed32);
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  putLittle(point, bits);
  std::string summary;
  putBytes(summary, 1, point);
  std::string event = eventAt(wall_time);
  putKey(event, 2, Wire::varint);
  putVarint(event, static_cast<uint64_t>(step));
  putBytes(event, 5, summary);
  return event;
}

EventFile::EventFile(const std::string& folder) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  char host[256] = "localhost";
  ::gethostname(host, sizeof host - 1);
  path_ = folder + "/events.out.tfevents." +
          std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count()) + "." +
          host + "." + std::to_string(::getpid());
  file_.reset(std::fopen(path_.c_str(), "we"));
  if (!file_) {
    throw UserError("cannot write " + path_ + ": " + std::strerror(errno) +
                    "; choose another folder with --out");
  }
  std::string event = eventAt(std::chrono::duration<double>(now).count());
  putBytes(event, 3, "brain.Event:2");
  record(event);
}

/// Event: 7 session_log (message); SessionLog: 1 status (1: start).
void EventFile::restart(int64_t step, double wall_time) {
  std::string start;
  putKey(start, 1, Wire::varint);
  putVarint(start, 1);
  std::string event = eventAt(wall_time);
  putKey(event, 2, Wire::varint);
  putVarint(event, static_cast<uint64_t>(step));
  putBytes(event, 7, start);
  record(event);
}

void EventFile::record(std::string_view event) {
  std::string length;
  putLittle(length, static_cast<uint64_t>(event.size()));
  std::string framed = length;
  putLittle(framed, maskedSum(length));
  framed += event;
  putLittle(framed, maskedSum(event));
  std::fwrite(framed.data(), 1, framed.size(), file_.get());
}

void EventFile::scalar(const std::string& tag, double value, int64_t step, double wall_time) {
  record(scalarEvent(tag, static_cast<float>(value), step, wall_time));
}

void EventFile::flush() {
  if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0) {
    throw UserError("cannot write " + path_ + ": " + std::strerror(errno));
  }
}

}  // namespace fdg::report
