#include "base/Seal.h"

#include <cstdint>
#include <cstdio>
#include <utility>

namespace fdg {
namespace {

constexpr std::string_view kMark = "\nfdg-seal ";
constexpr size_t kDigits = 16;

/// FNV-1a: for accidents, not for attacks.
std::string checksum(std::string_view bytes) {
  uint64_t hash = 14695981039346656037ULL;
  for (const unsigned char byte : bytes) {
    hash = (hash ^ byte) * 1099511628211ULL;
  }
  char digits[kDigits + 1];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace

std::string sealed(std::string bytes) {
  const std::string sum = checksum(bytes);
  return std::move(bytes) + std::string(kMark) + sum;
}

bool sealHolds(std::string_view bytes) {
  const size_t size = kMark.size() + kDigits;
  if (bytes.size() < size || bytes.substr(bytes.size() - size, kMark.size()) != kMark) {
    return true;
  }
  return checksum(bytes.substr(0, bytes.size() - size)) == bytes.substr(bytes.size() - kDigits);
}

}  // namespace fdg
