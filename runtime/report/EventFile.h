// Logged points → a TensorBoard event file (events.out.tfevents.…) with scalars.
//
// A file of records: length (8 bytes), masked CRC-32C of it, the bytes, masked CRC-32C of them.
// Each record is an Event in protobuf's wire format; the first says the file's version. A reader
// may follow the file while it grows. Throws UserError if the file cannot be written.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace fdg::report {

class EventFile {
 public:
  explicit EventFile(const std::string& folder);

  /// `wall_time` in seconds since 1970.
  void scalar(const std::string& tag, double value, int64_t step, double wall_time);
  /// From here on steps count from `step` again: readers drop what came later in files before this.
  void restart(int64_t step, double wall_time);
  void flush();
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void record(std::string_view event);

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// CRC-32C (Castagnoli), as in RFC 3720, appendix B.4.
uint32_t crc32c(std::string_view bytes);
/// The Event message of one scalar.
std::string scalarEvent(const std::string& tag, float value, int64_t step, double wall_time);

}  // namespace fdg::report
