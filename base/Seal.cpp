#include "base/Seal.h"

#include <cstdio>
#include <utility>

namespace fdg {
namespace {

constexpr std::string_view kMark = "\nfdg-seal ";
constexpr size_t kDigits = 16;

}  // namespace

uint64_t hashOf(std::string_view bytes, uint64_t before) {
  for (const unsigned char byte : bytes) {
    before = (before ^ byte) * 1099511628211ULL;
  }
  return before;
}

std::string checksumOf(std::string_view bytes) {
  char digits[kDigits + 1];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hashOf(bytes)));
  return digits;
}

std::string sealed(std::string bytes) {
  const std::string sum = checksumOf(bytes);
  return std::move(bytes) + std::string(kMark) + sum;
}

bool sealHolds(std::string_view bytes) {
  const size_t size = kMark.size() + kDigits;
  if (bytes.size() < size || bytes.substr(bytes.size() - size, kMark.size()) != kMark) {
    return true;
  }
  return checksumOf(bytes.substr(0, bytes.size() - size)) == bytes.substr(bytes.size() - kDigits);
}

}  // namespace fdg
