// Any bytes as a checkpoint's record: it is refused, or it can be written and read again as the same.
#include <cstdlib>
#include <string>

#include "runtime/checkpoint/Record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fdg::checkpoint;
  const auto record = readRecord(std::string(reinterpret_cast<const char*>(data), size));
  if (!record) {
    return 0;
  }
  const std::string text = writeRecord(record.value());
  const auto again = readRecord(text);
  if (!again || writeRecord(again.value()) != text) {
    std::abort();
  }
  return 0;
}
