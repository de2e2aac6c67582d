#include "base/Seal.h"

#include <cstdint>
#include <cstdio>
#include <utility>

namespace fdg {
namespace {

constexpr std::string_view kMark = "\nfdg-seal ";
constexpr size_t kDigits = 16;

}  // namespace

/// FNV-1a: for accidents, not for attacks.
std::string checksumOf(std::string_view bytes) {
  uint64_t hash = 14695981039346656037ULL;
  for (const unsigned char byte : bytes) {
    hash = (hash ^ byte) * 1099511628211ULL;
  }
  char digits[kDigits + 1];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
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
